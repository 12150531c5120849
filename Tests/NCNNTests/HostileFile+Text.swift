import NCNN

extension HostileFile {
  /// Files of another kind, and defects of the file as a whole.
  static let wrongForms: [HostileFile] = [
    HostileFile("empty.param", .line(1), .wrongFile, found: "an empty file", expected: "7767517"),
    HostileFile(
      "blank-lines-only.param", .line(3), .wrongFile, found: "line \"\"", expected: "7767517"),
    HostileFile("wrong-magic.param", .line(1), .wrongFile, found: "7767518", expected: "7767517"),
    HostileFile(
      "magic-and-more.param", .line(1), .wrongFile, found: "7767517 1 1",
      expected: "the magic number"),
    HostileFile(
      "old-mac-line-ends.param", .line(1), .wrongFile, found: "7767517 1 1 Input",
      expected: "7767517"),
    HostileFile(
      "byte-order-mark.param", .line(1), .wrongFile, found: "7767517", expected: "7767517"),
    HostileFile("utf-16.param", .line(1), .syntax, found: "control character 0", expected: "text"),
    HostileFile("magic-only.param", .line(1), .syntax, found: "7767517", expected: "two counts"),
    HostileFile("one-count.param", .line(2), .syntax, found: "line \"1\"", expected: "two counts"),
    HostileFile("three-counts.param", .line(2), .syntax, found: "1 1 1", expected: "two counts"),
    HostileFile(
      "count-in-words.param", .line(2), .count, found: "one layers", expected: "a count of layers"),
    HostileFile(
      "negative-layer-count.param", .line(2), .count, found: "-1 layers",
      expected: "a count of layers"),
    HostileFile(
      "negative-blob-count.param", .line(2), .count, found: "-1 blobs",
      expected: "a count of blobs"),
    HostileFile(
      "zero-layers.param", .line(2), .count, found: "0 layers", expected: "a count of layers"),
    HostileFile(
      "huge-count.param", .line(2), .count, found: "99999999999999999999 layers",
      expected: "bytes can hold"),
    HostileFile(
      "count-above-file-size.param", .line(2), .count, found: "2000000000 layers",
      expected: "35 bytes can hold"),
    HostileFile(
      "layer-count-too-small.param", .line(4), .count, found: "more than 1 layers",
      expected: "line 2"),
    HostileFile(
      "blob-count-too-small.param", .line(2), .count, found: "1 blobs declared", expected: "2"),
    HostileFile(
      "short-line.param", .line(4), .syntax, found: "Swish s 1",
      expected: "kind, name, input count"),
    HostileFile(
      "cut-in-the-middle.param", .line(4), .count, found: "1 inputs and 1 outputs",
      expected: "at most 1"),
    HostileFile(
      "control-characters.param", .line(3), .syntax, found: "control character 27",
      expected: "text"),
    HostileFile(
      "eight-bit-control-characters.param", .line(3), .syntax, found: "control character 155",
      expected: "text"),
    HostileFile(
      "nul-byte.param", .line(3), .syntax, found: "control character 0", expected: "text"),
    HostileFile("no-utf8.param", .line(3), .syntax, found: "not UTF-8", expected: "text"),
    HostileFile("overlong-utf8.param", .line(3), .syntax, found: "not UTF-8", expected: "text"),
    HostileFile("wrong-file-png.param", .file, .wrongFile, found: "PNG", expected: "text .param"),
    HostileFile(
      "weights-as-param.param", .file, .wrongFile, found: ".bin file", expected: "text .param"),
    HostileFile(
      "binary-param.param", .file, .wrongFile, found: ".param.bin", expected: "text .param"),
    HostileFile("name-too-long.param", .line(3), .limit, found: "256 bytes", expected: "255"),
  ]

  /// Blobs that are missing, made twice or in a cycle.
  static let wrongGraphs: [HostileFile] = [
    HostileFile(
      "negative-input-count.param", .line(4), .count, found: "input count -1",
      expected: "at most 2"),
    HostileFile(
      "huge-input-count.param", .line(4), .count, found: "input count 9223372036854775807",
      expected: "at most 2"),
    HostileFile(
      "input-count-in-words.param", .line(4), .count, found: "input count one",
      expected: "blobs named"),
    HostileFile(
      "negative-output-count.param", .line(4), .count, found: "output count -1",
      expected: "at most 2"),
    HostileFile(
      "more-blobs-than-words.param", .line(4), .count, found: "2 inputs and 2 outputs",
      expected: "at most 3"),
    HostileFile(
      "parameter-where-a-blob-is-due.param", .line(4), .count,
      found: "\"0=1\" where a blob is expected",
      expected: "3 blobs"),
    HostileFile(
      "dangling-blob.param", .line(4), .graph, found: "nowhere",
      expected: "a blob of another layer"),
    HostileFile(
      "two-producers.param", .line(5), .graph,
      found: "second producer of blob b, the first on line 4",
      expected: "one producer"),
    HostileFile(
      "output-twice-on-one-line.param", .line(4), .graph, found: "second producer of blob b",
      expected: "one producer"),
    HostileFile(
      "self-loop.param", .line(4), .graph, found: "a cycle through layers s and s",
      expected: "without cycles"),
    HostileFile("cycle.param", .line(5), .graph, found: "a cycle", expected: "without cycles"),
    HostileFile(
      "cycle-off-the-path.param", .line(5), .graph, found: "a cycle", expected: "without cycles"),
    HostileFile(
      "too-many-inputs.param", .line(4), .graph, found: "Swish with 2 inputs", expected: "1"),
    HostileFile("no-input.param", .line(4), .graph, found: "Swish with 0 inputs", expected: "1"),
    HostileFile("no-output.param", .line(4), .graph, found: "Swish with 0 outputs", expected: "1"),
    HostileFile(
      "too-many-outputs.param", .line(4), .graph, found: "Swish with 2 outputs", expected: "1"),
    HostileFile(
      "input-that-reads.param", .line(4), .graph, found: "Input with 1 input", expected: "0"),
    HostileFile(
      "concat-of-nothing.param", .line(4), .graph, found: "Concat with 0 inputs",
      expected: "at least 1"),
    HostileFile(
      "split-into-nothing.param", .line(4), .graph, found: "Split with 0 outputs",
      expected: "at least 1"),
    HostileFile(
      "binary-operation-of-one.param", .line(4), .graph, found: "BinaryOp with 1 input",
      expected: "2"),
    HostileFile(
      "scalar-operation-of-two.param", .line(4), .graph, found: "BinaryOp with 2 inputs",
      expected: "1"),
    HostileFile(
      "crop-without-reference.param", .line(4), .graph, found: "Crop with 1 input", expected: "2"),
    HostileFile(
      "slice-without-sizes.param", .line(4), .graph, found: "Slice into 0 parts with 2 outputs",
      expected: "an output for each part"),
    HostileFile(
      "slice-into-other-parts.param", .line(4), .graph, found: "Slice into 3 parts with 2 outputs",
      expected: "an output for each part"),
    HostileFile(
      "slice-indices-too-few.param", .line(4), .graph, found: "Slice into 2 parts with 3 outputs",
      expected: "an output for each part"),
  ]

  /// Defects of one `key=value` pair.
  static let wrongValues: [HostileFile] = [
    HostileFile("no-equals-sign.param", .line(4), .syntax, found: "\"5\"", expected: "key=value"),
    HostileFile("no-key.param", .line(4), .syntax, found: "\"=5\"", expected: "key=value"),
    HostileFile("key-in-words.param", .line(4), .syntax, found: "slope=5", expected: "key=value"),
    HostileFile("key-out-of-range.param", .line(4), .syntax, found: "key 32", expected: "0…31"),
    HostileFile("key-negative.param", .line(4), .syntax, found: "key -1", expected: "0…31"),
    HostileFile(
      "array-key-out-of-range.param", .line(4), .syntax, found: "key -23332", expected: "0…31"),
    HostileFile(
      "key-overflow.param", .line(4), .syntax, found: "99999999999999999999",
      expected: "key=value"),
    HostileFile(
      "key-minimum.param", .line(4), .syntax, found: "key -9223372036854775808", expected: "0…31"),
    HostileFile(
      "key-twice.param", .line(4), .syntax, found: "key 0 twice", expected: "each key once"),
    HostileFile(
      "key-twice-as-array.param", .line(4), .syntax, found: "key 0 twice",
      expected: "each key once"),
    HostileFile(
      "empty-value.param", .line(4), .syntax, found: "\"0=\"", expected: "a value after"),
    HostileFile(
      "empty-string.param", .line(4), .parameter, found: "ReLU slope (0=\"\")",
      expected: "a number"),
    HostileFile(
      "array-length-minus-one.param", .line(4), .count, found: "0 elements with the length -1",
      expected: "a length"),
    HostileFile(
      "array-length-too-small.param", .line(4), .count, found: "3 elements with the length 2",
      expected: "a length"),
    HostileFile(
      "array-length-too-large.param", .line(4), .count, found: "2 elements with the length 4",
      expected: "a length"),
    HostileFile(
      "array-length-huge.param", .line(4), .count, found: "99999999999999999999",
      expected: "a length"),
    HostileFile(
      "array-length-empty.param", .line(4), .count, found: "1 elements with the length ",
      expected: "a length"),
    HostileFile(
      "array-trailing-comma.param", .line(4), .syntax, found: "\"\" in -23303=2,1,",
      expected: "32-bit"),
    HostileFile(
      "array-with-a-word.param", .line(4), .syntax, found: "\"x\" in -23303=2,1,x",
      expected: "32-bit"),
    HostileFile(
      "list-with-a-hole.param", .line(4), .syntax, found: "\"\" in 3=1,,2", expected: "32-bit"),
    HostileFile(
      "decimal-comma.param", .line(4), .parameter, found: "-23300=2,0,5", expected: "a number"),
    HostileFile("nan-parameter.param", .line(4), .parameter, found: "0=nan", expected: "a number"),
    HostileFile("minus-infinity.param", .line(4), .syntax, found: "\"-inf\"", expected: "32-bit"),
    HostileFile(
      "float-overflow.param", .line(4), .syntax, found: "\"1e39\"",
      expected: "a finite decimal number"),
    HostileFile(
      "hex-float.param", .line(4), .syntax, found: "\"0x1.8p3\"",
      expected: "a finite decimal number"),
    HostileFile("hex-integer.param", .line(4), .syntax, found: "\"0x10\"", expected: "32-bit"),
    HostileFile(
      "integer-overflow.param", .line(4), .syntax, found: "\"2147483648\"", expected: "32-bit"),
    HostileFile(
      "integer-underflow.param", .line(4), .syntax, found: "\"-2147483649\"", expected: "32-bit"),
    HostileFile(
      "number-with-a-tail.param", .line(4), .syntax, found: "\"12abc\"", expected: "32-bit"),
    HostileFile(
      "two-decimal-points.param", .line(4), .syntax, found: "\"1.2.3\"",
      expected: "a finite decimal number"),
    HostileFile(
      "exponent-without-digits.param", .line(4), .syntax, found: "\"1.e\"",
      expected: "a finite decimal number"),
    HostileFile(
      "point-without-digits.param", .line(4), .syntax, found: "\".\"",
      expected: "a finite decimal number"),
    HostileFile(
      "unclosed-quote.param", .line(4), .syntax, found: "an unclosed quote",
      expected: "a closing quote"),
    HostileFile(
      "text-after-quote.param", .line(4), .syntax, found: "\"a\"b",
      expected: "one string between two quotes"),
    HostileFile(
      "quotes-within-a-word.param", .line(4), .syntax, found: "s=\"a b\"c",
      expected: "one string between two quotes"),
    HostileFile(
      "tab-within-quotes.param", .line(4), .syntax, found: "control character 9", expected: "text"),
    HostileFile(
      "string-too-long.param", .line(4), .limit, found: "a string of 256 bytes", expected: "255"),
    HostileFile(
      "string-where-a-number-is-due.param", .line(4), .parameter, found: "0=\"0.5\"",
      expected: "a number"),
  ]
}
