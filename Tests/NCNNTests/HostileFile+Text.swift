// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

extension HostileFile {
  /// Files of another kind, and defects of the file as a whole.
  static let wrongForms: [HostileFile] = [
    .init("empty.param", .line(1), .wrongFile, "an empty file", "7767517"),
    .init("wrong-magic.param", .line(1), .wrongFile, "7767518", "7767517"),
    .init("magic-and-more.param", .line(1), .wrongFile, "7767517 1 1", "the magic number"),
    .init("old-mac-line-ends.param", .line(1), .wrongFile, "7767517 1 1 Input", "7767517"),
    .init("byte-order-mark.param", .line(1), .wrongFile, "7767517", "7767517"),
    .init("blank-lines-only.param", .line(3), .wrongFile, "line \"\"", "7767517"),
    .init("utf-16.param", .line(1), .syntax, "control character 0", "text"),
    .init("magic-only.param", .line(1), .syntax, "7767517", "two counts"),
    .init("one-count.param", .line(2), .syntax, "line \"1\"", "two counts"),
    .init("three-counts.param", .line(2), .syntax, "1 1 1", "two counts"),
    .init("count-in-words.param", .line(2), .count, "one layers", "a count of layers"),
    .init("negative-layer-count.param", .line(2), .count, "-1 layers", "a count of layers"),
    .init("negative-blob-count.param", .line(2), .count, "-1 blobs", "a count of blobs"),
    .init("zero-layers.param", .line(2), .count, "0 layers", "a count of layers"),
    .init("huge-count.param", .line(2), .count, "99999999999999999999 layers", "bytes can hold"),
    .init(
      "count-above-file-size.param", .line(2), .count, "2000000000 layers", "35 bytes can hold"),
    .init("cut-in-the-middle.param", .line(4), .count, "1 inputs and 1 outputs", "at most 1"),
    .init("short-line.param", .line(4), .syntax, "Swish s 1", "kind, name, input count"),
    .init("control-characters.param", .line(3), .syntax, "control character 27", "text"),
    .init("eight-bit-control-characters.param", .line(3), .syntax, "control character 155", "text"),
    .init("nul-byte.param", .line(3), .syntax, "control character 0", "text"),
    .init("no-utf8.param", .line(3), .syntax, "not UTF-8", "text"),
    .init("overlong-utf8.param", .line(3), .syntax, "not UTF-8", "text"),
    .init("wrong-file-png.param", .file, .wrongFile, "PNG", "text .param"),
    .init("weights-as-param.param", .file, .wrongFile, ".bin file", "text .param"),
    .init("binary-param.param", .file, .wrongFile, ".param.bin", "text .param"),
    .init("name-too-long.param", .line(3), .limit, "256 bytes", "255"),
  ]

  /// Blobs that are missing, made twice or in a cycle.
  static let wrongGraphs =
    files(
      .count,
      ("negative-input-count", "input count -1", "at most 2"),
      ("huge-input-count", "input count 9223372036854775807", "at most 2"),
      ("input-count-in-words", "input count one", "blobs named"),
      ("negative-output-count", "output count -1", "at most 2"),
      ("more-blobs-than-words", "2 inputs and 2 outputs", "at most 3"),
      ("parameter-where-a-blob-is-due", "\"0=1\" where a blob is expected", "3 blobs"))
    + files(
      .graph,
      ("dangling-blob", "nowhere", "a blob of another layer"),
      ("output-twice-on-one-line", "second producer of blob b", "one producer"),
      ("self-loop", "a cycle through layers s and s", "without cycles"),
      ("too-many-inputs", "Swish with 2 inputs", "1"),
      ("no-input", "Swish with 0 inputs", "1"),
      ("no-output", "Swish with 0 outputs", "1"),
      ("too-many-outputs", "Swish with 2 outputs", "1"),
      ("input-that-reads", "Input with 1 input", "0"),
      ("concat-of-nothing", "Concat with 0 inputs", "at least 1"),
      ("split-into-nothing", "Split with 0 outputs", "at least 1"),
      ("binary-operation-of-one", "BinaryOp with 1 input", "2"),
      ("scalar-operation-of-two", "BinaryOp with 2 inputs", "1"),
      ("crop-without-reference", "Crop with 1 input", "2"),
      ("slice-into-other-parts", "Slice with 2 outputs", "3"),
      ("slice-indices-too-few", "Slice with 3 outputs", "2"))
    + files(
      .graph, line: 5,
      ("two-producers", "second producer of blob b, the first on line 4", "one producer"),
      ("cycle", "a cycle", "without cycles"),
      ("cycle-off-the-path", "a cycle", "without cycles"))

  /// Defects of one `key=value` pair.
  static let wrongValues =
    files(
      .syntax,
      ("no-equals-sign", "\"5\"", "key=value"),
      ("no-key", "\"=5\"", "key=value"),
      ("key-in-words", "slope=5", "key=value"),
      ("key-out-of-range", "key 32", "0…31"),
      ("key-negative", "key -1", "0…31"),
      ("array-key-out-of-range", "key -23332", "0…31"),
      ("key-overflow", "99999999999999999999", "key=value"),
      ("key-minimum", "key -9223372036854775808", "0…31"),
      ("key-twice", "key 0 twice", "each key once"),
      ("key-twice-as-array", "key 0 twice", "each key once"),
      ("empty-value", "\"0=\"", "a value after"),
      ("array-trailing-comma", "\"\" in -23303=2,1,", "32-bit"),
      ("array-with-a-word", "\"x\" in -23303=2,1,x", "32-bit"),
      ("list-with-a-hole", "\"\" in 3=1,,2", "32-bit"),
      ("minus-infinity", "\"-inf\"", "-3.402823e+38"),
      ("infinity-in-a-list", "\"inf\" in -23310=2,0.0,inf", "3.402823e+38"),
      ("nan-parameter", "\"nan\" in 0=nan", "a finite number"),
      ("float-overflow", "\"1e39\"", "a finite decimal number"),
      ("hex-float", "\"0x1.8p3\"", "a finite decimal number"),
      ("hex-integer", "\"0x10\"", "32-bit"),
      ("integer-overflow", "\"2147483648\"", "32-bit"),
      ("integer-underflow", "\"-2147483649\"", "32-bit"),
      ("number-with-a-tail", "\"12abc\"", "32-bit"),
      ("two-decimal-points", "\"1.2.3\"", "a finite decimal number"),
      ("exponent-without-digits", "\"1.e\"", "a finite decimal number"),
      ("point-without-digits", "\".\"", "a finite decimal number"),
      ("unclosed-quote", "an unclosed quote", "a closing quote"),
      ("text-after-quote", "\"a\"b", "one string between two quotes"),
      ("quotes-within-a-word", "s=\"a b\"c", "one string between two quotes"),
      ("tab-within-quotes", "control character 9", "text"))
    + files(
      .parameter,
      ("empty-string", "ReLU slope (0=\"\")", "a number"),
      ("decimal-comma", "-23300=2,0,5", "a number"),
      ("string-where-a-number-is-due", "0=\"0.5\"", "a number"))
    + files(
      .count,
      ("array-length-minus-one", "0 elements with the length -1", "a length"),
      ("array-length-too-small", "3 elements with the length 2", "a length"),
      ("array-length-too-large", "2 elements with the length 4", "a length"),
      ("array-length-huge", "99999999999999999999", "a length"),
      ("array-length-empty", "1 elements with the length ", "a length"))
    + files(
      .limit,
      ("string-too-long", "a string of 256 bytes", "255"))
}
