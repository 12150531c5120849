# SPDX-License-Identifier: Apache-2.0
"""Runs the notebook, whose last cell compares its faces with the library's."""

import pathlib

import nbclient
import nbformat

FOLDER = pathlib.Path(__file__).resolve().parents[1]


def test_runs():
    notebook = nbformat.read(FOLDER / "pipeline.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(FOLDER)}}).execute()
    assert "Face(score=0.9" in notebook.cells[-1].outputs[0]["data"]["text/plain"]
