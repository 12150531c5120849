# SPDX-License-Identifier: Apache-2.0
"""Writes the fuzzers' seed inputs: Fuzzing/Corpus, a directory for each fuzzer.

Scripts/fuzz and the tests of the fuzzers' targets run it. Everything is made here or taken from the tests' own
fixtures and from the graphs in Fuzzing/Corpus/FuzzParam, which are written by hand, as are files named
finding-…: inputs that once broke something.
"""

import base64
import json
import pathlib
import struct
import sys
import zlib

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(root / "Scripts"))
from orderly import replace  # noqa: E402

corpus = root / "Fuzzing/Corpus"
fixtures = root / "Tests/InferenceTests/Fixtures"


def write(fuzzer, name, content):
    folder = corpus / fuzzer
    folder.mkdir(parents=True, exist_ok=True)
    replace(folder / name, content)


def declaring(param, inputs):
    """The network with the shapes of its inputs declared."""
    for name, blob in inputs.items():
        keys = [0, 1, 11, 2] if len(blob["shape"]) == 4 else [0, 1, 2]
        sizes = " ".join(f"{key}={size}" for key, size in zip(keys, reversed(blob["shape"])))
        line = f"Input {name} 0 1 {name}"
        param = param.replace(f"{line}\n", f"{line} {sizes}\n")
    return param


def models():
    # Missing weights become zeros; these are a tag, then numbers near 1.
    weights = b"\0\0\0\0" + struct.pack("<60f", *[(i % 9 - 4) / 4 for i in range(60)])
    for graph in sorted((corpus / "FuzzParam").iterdir()):
        for mode in (0, 4, 8 + 1, 16 + 32 + 64):
            write("FuzzModel", f"{graph.name}-{mode}", graph.read_bytes() + bytes([0, mode]) + weights)
    for path in sorted(fixtures.glob("*.json")):
        cases = json.loads(path.read_text())["cases"]
        cases = [(len(c["param"]) + len(c["bin"]), i, c) for i, c in enumerate(cases)]
        # The smallest of each kind, run by different kernels.
        for _, index, case in sorted(cases)[:4]:
            content = declaring(case["param"], case["inputs"]).encode() + bytes([0, index & 0xFF])
            write("FuzzModel", f"{path.stem}-{index}", content + base64.b64decode(case["bin"]))


def chunk(kind, content):
    checked = kind + content
    return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))


def png(width, height, depth, color, interlaced, extra=b"", surplus=b""):
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    starts = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    data = b""
    for x, y, right, down in starts if interlaced else [(0, 0, 1, 1)]:
        columns = len(range(x, width, right))
        for row in range(y, height, down) if columns else []:
            count = (columns * channels * depth + 7) // 8
            data += bytes([row % 5]) + bytes((37 * i + row) % 256 for i in range(count))
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced)
    palette = chunk(b"PLTE", bytes(range(48))) if color == 3 else b""
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + palette + extra
        + chunk(b"IDAT", zlib.compress(data + surplus)) + chunk(b"IEND", b""))


def pictures():
    depths = {0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 4], 4: [8, 16], 6: [8, 16]}
    for color, bits in depths.items():
        for depth in bits:
            for interlaced in (0, 1):
                name = f"color{color}-{depth}bits" + ("-interlaced" if interlaced else "")
                write("FuzzPicture", name + ".png", png(5, 6, depth, color, interlaced))
    exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
    write("FuzzPicture", "turned.png", png(3, 2, 8, 2, 0, chunk(b"eXIf", exif)))
    profile = b"\nexif\n      32\n" + (b"Exif\0\0" + exif).hex().encode() + b"\n"
    for kind, text in ((b"zTXt", b"\0" + zlib.compress(profile)), (b"tEXt", profile)):
        write("FuzzPicture", f"turned-{kind.decode()}.png",
              png(3, 2, 8, 2, 0, chunk(kind, b"Raw profile type exif\0" + text)))
    xmp = (b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><r:RDF xmlns:r='r'><!-- a --><r:D xmlns:t='http://ns.adobe.com/tiff/1.0/' "
           b"t:Orientation=\"6\"/><r:D><t:Orientation>6</t:Orientation></r:D></r:RDF></x:xmpmeta>")
    write("FuzzPicture", "turned-iTXt.png",
          png(3, 2, 8, 2, 0, chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + xmp)))
    colours = chunk(b"gAMA", struct.pack(">I", 45455)) + chunk(b"sRGB", b"\0") + chunk(b"iCCP", b"a\0\0" + zlib.compress(b"icc"))
    for color in (0, 2):
        write("FuzzPicture", f"colours-{color}.png", png(3, 2, 8, color, 0, colours))
    transparent = chunk(b"tRNS", b"\0\x25\0\x4a\0\x6f")
    write("FuzzPicture", "transparent.png", png(3, 2, 8, 2, 0, transparent))
    write("FuzzPicture", "text.png", png(3, 2, 8, 0, 0, chunk(b"tEXt", b"Title\0a")))
    zeros = bytes(1 << 22)
    write("FuzzPicture", "more-than-claimed.png", png(3, 2, 8, 2, 0, surplus=zeros))
    bomb = zlib.compress(zeros)
    for kind in (b"iCCP", b"zTXt"):
        write("FuzzPicture", f"{kind.decode()}-of-zeros.png",
              png(3, 2, 8, 2, 0, chunk(kind, b"a\0\0" + bomb)))
    write("FuzzPicture", "white-2048.png", png(2048, 2048, 1, 0, 0))
    write("FuzzPicture", "huge-claim.png", png(1, 1, 1, 0, 0)[:16] + struct.pack(">II", 30000, 30000))


def tensors():
    for shape in [(2,), (2, 3), (3, 2, 2), (1, 2, 1, 3)]:
        sizes = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({sizes}), }}\n".encode()
        count = 1
        for size in shape:
            count *= size
        data = struct.pack(f"<{count}f", *[float("nan")] + [i / 2 for i in range(count - 1)])
        name = "x".join(map(str, shape)) + ".npy"
        write("FuzzTensor", name, b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + data)
    write("FuzzTensor", "version2.npy", b"\x93NUMPY\2\0" + struct.pack("<I", len(header)) + header + data)


def decoding():
    """What FuzzDecoding reads, in its order; numbers are big-endian."""
    values = [0.2, -0.3, 0.5, 0.1, 4] + [0.1 * i for i in range(-5, 5)] + [3]
    for name, own, raw in [
        ("faces", False, values), ("own-anchor", True, values),
        ("nan", False, [float("nan")] * 16), ("infinite", False, [float("inf"), -1e38] * 8),
        ("extreme", True, [3e38, -3e38] * 8),
    ]:
        if own:
            head, anchors = bytes([0, 7]) + struct.pack(">dd", 12, 16), 1
        else:
            head, anchors = bytes([1, 1]), 3
        grid = bytes([1, 1]) + struct.pack(">f", 0.25) + b"\0"
        cells = struct.pack(f">{64 * anchors}f", *raw * (4 * anchors))
        suppression = b"\x10" + struct.pack(">d", 0.45)
        letterbox = struct.pack(">iiBi", 1280, 720, 0, 640)
        view = struct.pack(">dd", 1280, 720) + b"\x05\1\0" + struct.pack(">dd", 390, 844) + b"\2\3"
        # Selection, then crop.
        rest = struct.pack(">ddBdB", 1280, 720, 1, 10, 9) + struct.pack(">d", 0.3) + b"\1\0"
        write("FuzzDecoding", name, head + grid + cells + suppression + letterbox + view + rest)


def sidecars():
    """XMP with regions, without, with names, and with the forms that XML allows."""
    rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    regions = "http://www.metadataworkinggroup.com/schemas/regions/"

    def packet(inside, declared=f'xmlns:m="{regions}"'):
        return (
            f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="{rdf}"><r:Description r:about="" {declared}>'
            f"{inside}</r:Description></r:RDF></x:xmpmeta>")

    write("FuzzSidecar", "empty.xmp", f"<r:RDF xmlns:r='{rdf}'/>")
    write("FuzzSidecar", "rating.xmp", packet("<p:Rating>4</p:Rating>", "xmlns:p='http://ns.adobe.com/xap/1.0/'"))
    write("FuzzSidecar", "regions.xmp", packet('<m:Regions r:parseType="Resource"><m:RegionList/></m:Regions>'))
    write("FuzzSidecar", "named.xmp", packet("<m:Regions><r:Description m:Name='Ada'/></m:Regions>"))
    write(
        "FuzzSidecar", "forms.xmp",
        "<?xpacket begin='\ufeff'?><!-- <r:RDF> -->" + packet("<m:A><![CDATA[<&]]></m:A> &amp;&#65;")
        + "<?xpacket end='w'?>")
    write("FuzzSidecar", "attributes.xmp", packet("", f"xmlns:m='{regions}' m:B='&lt;1&gt;'"))


def truths():
    write("FuzzGroundTruth", "boxes.json", '{"a.png":{"width":64,"height":48,"boxes":[[1,2,3,4.5]]}}')
    face = [0.9, 1, 2, 30, 40] + list(range(10))
    write("FuzzGroundTruth", "faces.json", json.dumps({"b/c.jpg": {"faces": [face, [0.1] + face[1:5]]}}))
    coco = {
        "images": [{"id": 7, "file_name": "a.jpg", "width": 64, "height": 48}],
        "annotations": [{"image_id": 7, "bbox": [1, 2, 3, 4], "iscrowd": 1}],
    }
    write("FuzzGroundTruth", "coco.json", json.dumps(coco))
    write(
        "FuzzGroundTruth", "voc.xml",
        '<?xml version="1.0"?><!-- a --><annotation><size><width>64</width><height>48</height></size>'
        '<object a="/>"><difficult>1</difficult><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>3</xmax>'
        "<ymax>4.5</ymax></bndbox></object><e/></annotation>\n")
    write("FuzzGroundTruth", "yolo.txt", "0 0.5 0.5 0.25 0.125\n1 .1 .2 0 1e-2\n")
    write("FuzzGroundTruth", "wider.txt", "a/b.jpg\n1\n1 2 30 40 0 0 0 1 0 0\nc.jpg\n0\n0 0 0 0 0 0 0 0 0 0\n")
    write("FuzzGroundTruth", "data.yaml", "nc: 2\nnames: {0: face, 1: 'a hat'}\n")
    write("FuzzGroundTruth", "subset.txt", "a/b.jpg\n1 2\nc.jpg\n\n")


for make in (models, pictures, tensors, decoding, truths, sidecars):
    make()
