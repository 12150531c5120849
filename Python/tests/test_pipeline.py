# SPDX-License-Identifier: Apache-2.0
"""Runs the notebook, whose last cell compares its faces with the library's, and compares what it shows with its file.

`jupyter execute --inplace --NotebookClient.record_timing=False Python/pipeline.ipynb` renews the file.
"""

import copy
import pathlib
import re

import nbclient
import nbformat

FOLDER = pathlib.Path(__file__).resolve().parents[1]


def shown(notebook):
    """What its cells have put out, with numbers of four digits: processors differ in the seventh."""
    texts = [output["data"]["text/plain"] for cell in notebook.cells for output in cell.get("outputs", [])]
    return [re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.4g}", text) for text in texts]


def test_shows_what_its_file_does():
    stored = nbformat.read(FOLDER / "pipeline.ipynb", as_version=4)
    run = copy.deepcopy(stored)
    nbclient.NotebookClient(run, timeout=120, resources={"metadata": {"path": str(FOLDER)}}).execute()
    assert "Face(score=0.9" in shown(run)[-1]
    assert shown(run) == shown(stored)
