// SPDX-License-Identifier: Apache-2.0

/// What users of other tools type for an option, and what that is here: the first that a subcommand has, or else words.
///
/// From the options of Ultralytics, YOLOv5, deface, RetinaFace's and InsightFace's scripts, ffmpeg and rsync.
let habits: [(names: [String], here: [String])] = [
  (["v", "V"], ["--version; messages come on standard error without being asked for"]),
  (["verbose", "debug"], ["no option: messages come on standard error without being asked for"]),
  (["q", "silent"], ["--quiet"]),
  (
    ["source", "src", "i", "input", "inputs", "img", "image", "images", "path", "files"],
    ["no option: give pictures and directories by their paths alone"]
  ),
  (["list", "file-list", "filelist", "input-list", "from-file", "T"], ["--files-from"]),
  (
    ["r", "R", "recursive", "recurse"], ["no option: directories are searched with all below them"]
  ),
  (["ignore", "exclude-dir", "skip-dir"], ["--exclude"]),
  (
    [
      "out", "outdir", "out-dir", "outfile", "out-file", "output-dir", "output-path", "output-file",
      "save-dir", "save-path", "dest", "destination", "target", "project", "name",
    ], ["--output", "--annotate"]
  ),
  (
    [
      "save", "save-img", "save-image", "draw", "plot", "visualize", "visualise", "view-img",
      "show", "render",
    ],
    ["--annotate PATH"]
  ),
  (["save-txt", "txt", "yolo"], ["--format yolo --output DIR"]),
  (["save-json", "coco"], ["--format coco --output FILE"]),
  (["save-csv", "csv"], ["--format csv"]),
  (["xmp", "sidecar", "sidecars"], ["--format xmp"]),
  (["save-crop", "save-crops", "crops", "save-faces", "extract-faces"], ["--crop DIR"]),
  (["aligned", "align-faces"], ["--align DIR"]),
  (["save-conf", "print-scores"], ["no option: scores are always written"]),
  (["hide-labels", "hide-conf", "no-scores"], ["--no-labels"]),
  (["line-thickness", "thickness"], ["--line-width"]),
  (
    ["weights", "model", "m", "w", "checkpoint", "onnx", "proto"],
    ["--param and --bin, a model's two files"]
  ),
  (
    ["half", "fp16", "bf16", "float16"],
    ["--precision int8, which is faster than fp32; there is no half precision"]
  ),
  (["int8", "quantized", "quantised"], ["--precision int8"]),
  (
    ["device", "gpu", "cuda", "cpu", "gpu-id", "backend", "execution-provider", "ep"],
    ["--threads: everything runs on the processor"]
  ),
  (["workers", "num-workers", "batch", "batch-size"], ["--jobs", "--threads"]),
  (["num-threads", "nthreads", "n-threads"], ["--threads"]),
  (
    [
      "threshold", "thresh", "t", "conf-thres", "conf-threshold", "confidence", "conf-thresh",
      "confidence-threshold", "vis-thres", "det-thresh", "score", "score-thresh", "min-score",
      "min-confidence",
    ], ["--score-threshold"]
  ),
  (
    ["iou-thres", "iou-thresh", "nms", "nms-threshold", "nms-thres", "nms-thresh"],
    ["--iou-threshold"]
  ),
  (
    ["size", "img-size", "image-size", "input-size", "det-size", "long-edge", "resize", "scale"],
    ["--long-side"]
  ),
  (["augment", "tta", "multi-scale"], ["--thorough"]),
  (["sahi", "slice", "tile"], ["--tiles"]),
  (["max-det", "max-num", "top-k", "topk", "num-faces"], ["--max-faces"]),
  (["min-face", "min-face-size", "minsize"], ["--min-size"]),
  (["roi", "crop-region"], ["--region x,y,width,height"]),
  (["fps", "rate", "framerate"], ["--frame-rate"]),
  (["keep-audio", "a", "audio"], ["--sound"]),
  (["replacewith", "blur", "pixelate", "mosaic", "method", "filter"], ["--style"]),
  (["mask-scale", "padding", "expand"], ["--grow", "--margin"]),
  (["ellipse", "box"], ["--shape"]),
  (["crf", "qscale"], ["--quality"]),
  (["y", "f", "force", "overwrite", "exist-ok"], ["--restart"]),
  (["continue", "c", "skip-existing", "no-clobber"], ["--resume"]),
  (["gt", "ground-truth", "labels", "annotations", "data"], ["--truth"]),
  (["help-all", "full-help", "hh"], ["--help-hidden"]),
]
