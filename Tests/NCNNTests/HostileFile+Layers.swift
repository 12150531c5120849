import NCNN

extension HostileFile {
  /// Values that the kind of the layer does not allow.
  static let wrongLayers: [HostileFile] = [
    HostileFile(
      "convolution-without-parameters.param", .line(4), .parameter, found: "no num_output",
      expected: "1…268435456"),
    HostileFile(
      "missing-output-channels.param", .line(4), .parameter, found: "no num_output (key 0)",
      expected: "1…268435456"),
    HostileFile(
      "zero-output-channels.param", .line(4), .parameter, found: "num_output (0=0)",
      expected: "1…268435456"),
    HostileFile(
      "negative-output-channels.param", .line(4), .parameter, found: "num_output (0=-4)",
      expected: "1…268435456"),
    HostileFile(
      "real-output-channels.param", .line(4), .parameter, found: "num_output (0=1.500000e+00)",
      expected: "an integer"),
    HostileFile(
      "array-of-output-channels.param", .line(4), .parameter, found: "-23300=2,1,2",
      expected: "an integer"),
    HostileFile(
      "missing-kernel.param", .line(4), .parameter, found: "no kernel_w", expected: "1…1048576"),
    HostileFile(
      "zero-kernel-height.param", .line(4), .parameter, found: "kernel_h (11=0)",
      expected: "1…1048576"),
    HostileFile(
      "zero-stride.param", .line(4), .parameter, found: "stride_w (3=0)", expected: "1…1048576"),
    HostileFile(
      "zero-dilation.param", .line(4), .parameter, found: "dilation_w (2=0)",
      expected: "1…1048576"),
    HostileFile(
      "negative-padding.param", .line(4), .parameter, found: "pad_left (4=-1)",
      expected: "0…1048576"),
    HostileFile(
      "missing-weight-size.param", .line(4), .parameter, found: "no weight_data_size",
      expected: "1…268435456"),
    HostileFile(
      "weight-size-no-multiple.param", .line(4), .parameter, found: "weight_data_size 19",
      expected: "kernel 3 × 3 × num_output 2"),
    HostileFile(
      "sizes-that-overflow.param", .line(4), .parameter, found: "weight_data_size 268435456",
      expected: "a multiple of kernel 1048576"),
    HostileFile(
      "bias-term-two.param", .line(4), .parameter, found: "bias_term (5=2)", expected: "0…1"),
    HostileFile(
      "zero-group.param", .line(4), .parameter, found: "group (7=0)", expected: "1…268435456"),
    HostileFile(
      "group-that-does-not-divide.param", .line(4), .parameter, found: "num_output 4 and group 3",
      expected: "divides"),
    HostileFile(
      "activation-without-slope.param", .line(4), .parameter, found: "9=2 and 0 activation_params",
      expected: "at least 1"),
    HostileFile(
      "activation-with-one-bound.param", .line(4), .parameter, found: "9=3 and 1 activation_params",
      expected: "at least 2"),
    HostileFile(
      "activation-out-of-range.param", .line(4), .parameter, found: "activation_type (9=99)",
      expected: "0…6"),
    HostileFile(
      "int8-scheme-out-of-range.param", .line(4), .parameter, found: "int8_scale_term 3",
      expected: "101"),
    HostileFile(
      "inner-product-int8-scheme-unknown.param", .line(4), .parameter, found: "int8_scale_term 3",
      expected: "101"),
    HostileFile(
      "int8-border-of-200.param", .line(4), .parameter, found: "pad_value 200.0 in int8",
      expected: "−127 ... 127"),
    HostileFile(
      "int8-sums-above-32-bits.param", .line(4), .limit, found: "sums of 131073 int8 products",
      expected: "at most 131072"),
    HostileFile(
      "dynamic-weights.param", .line(4), .unsupported, found: "dynamic_weight (19=1)",
      expected: "not implemented"),
    HostileFile(
      "inner-product-without-outputs.param", .line(4), .parameter, found: "no num_output",
      expected: "1…268435456"),
    HostileFile(
      "inner-product-no-multiple.param", .line(4), .parameter, found: "weight_data_size 8",
      expected: "num_output 3"),
    HostileFile(
      "memory-data-without-shape.param", .line(4), .parameter, found: "shape []",
      expected: "1…268435456"),
    HostileFile(
      "memory-data-overflow.param", .line(4), .parameter, found: "268435456, 268435456",
      expected: "1…268435456"),
    HostileFile(
      "input-above-limit.param", .line(4), .parameter, found: "w (0=268435457)",
      expected: "-1…268435456"),
    HostileFile(
      "pooling-without-kernel.param", .line(4), .parameter, found: "no kernel_w",
      expected: "1…1048576"),
    HostileFile(
      "pooling-of-unknown-kind.param", .line(4), .parameter, found: "pooling_type (0=2)",
      expected: "0…1"),
    HostileFile(
      "pooling-padded-unknown.param", .line(4), .parameter, found: "pad_mode (5=4)",
      expected: "0…3"),
    HostileFile(
      "pooling-into-nothing.param", .line(4), .parameter, found: "out_w 0", expected: "positive"),
    HostileFile(
      "interp-without-kind.param", .line(4), .unsupported, found: "resize_type 0",
      expected: "1 (nearest), 2 (bilinear) or 3 (bicubic)"),
    HostileFile(
      "interp-by-zero.param", .line(4), .parameter, found: "scales 0.0 and 2.0",
      expected: "positive"),
    HostileFile(
      "interp-to-infinity.param", .line(4), .parameter, found: "scales 1e+30 and 2.0",
      expected: "below 65536"),
    HostileFile(
      "interp-to-a-second-input.param", .line(4), .graph, found: "Interp with 1 input",
      expected: "2"),
    HostileFile(
      "shuffle-of-zero-groups.param", .line(4), .parameter, found: "group (0=0)",
      expected: "1…268435456"),
    HostileFile(
      "reshape-without-sizes.param", .line(4), .parameter, found: "shape []",
      expected: "at most one may be -1"),
    HostileFile(
      "reshape-two-minus-ones.param", .line(4), .parameter, found: "shape [-1, -1]",
      expected: "at most one may be -1"),
    HostileFile(
      "reshape-without-height.param", .line(4), .parameter, found: "shape [3, -233, 4]",
      expected: "c, h and w"),
    HostileFile("reshape-minus-two.param", .line(4), .parameter, found: "w -2", expected: "-233"),
    HostileFile(
      "reshape-by-expression.param", .line(4), .parameter, found: "shape_expr sec(0w),0h",
      expected: "up to 4 sizes such as 4,*(0c,0h)"),
    HostileFile(
      "permute-out-of-range.param", .line(4), .parameter, found: "order_type (0=24)",
      expected: "0…23"),
    HostileFile(
      "concat-axis-out-of-range.param", .line(4), .parameter, found: "axis (0=4)",
      expected: "-4…3"),
    HostileFile(
      "softmax-axis-out-of-range.param", .line(4), .parameter, found: "axis (0=-5)",
      expected: "-4…3"),
    HostileFile(
      "slice-of-negative-size.param", .line(4), .parameter, found: "slices [-5, 3]",
      expected: "-233"),
    HostileFile(
      "slice-below-any-mark.param", .line(4), .parameter, found: "slices (0=-234)",
      expected: "-233"),
    HostileFile(
      "slice-by-reals.param", .line(4), .parameter, found: "-23300=2,1.500000e+00",
      expected: "integers"),
    HostileFile(
      "padding-negative.param", .line(4), .parameter, found: "top (0=-1048577)",
      expected: "-1048576…1048576"),
    HostileFile(
      "padding-of-unknown-kind.param", .line(4), .parameter, found: "type (4=3)", expected: "0…2"),
    HostileFile(
      "crop-starts-without-ends.param", .line(4), .parameter, found: "1 starts, 0 ends",
      expected: "as many starts"),
    HostileFile(
      "crop-axis-twice.param", .line(4), .parameter, found: "axes [1, 1]", expected: "distinct"),
    HostileFile(
      "crop-along-five-axes.param", .line(4), .parameter, found: "5 starts", expected: "at most 4"),
    HostileFile(
      "crop-to-a-negative-size.param", .line(4), .parameter, found: "outw -5", expected: "-233"),
    HostileFile(
      "crop-by-contents.param", .line(4), .parameter, found: "woffset (0=-233)",
      expected: "0…268435456"),
    HostileFile(
      "batch-norm-without-channels.param", .line(4), .parameter, found: "no channels",
      expected: "1…268435456"),
    HostileFile(
      "scale-by-second-input.param", .line(4), .graph, found: "Scale with 1 input",
      expected: "2"),
    HostileFile(
      "group-norm-of-zero-groups.param", .line(4), .parameter, found: "group (0=0)",
      expected: "1…268435456"),
    HostileFile(
      "group-norm-uneven.param", .line(4), .parameter, found: "channels 4 and group 3",
      expected: "divides"),
    HostileFile(
      "prelu-without-slopes.param", .line(4), .parameter, found: "no num_slope",
      expected: "1…268435456"),
    HostileFile(
      "binary-operation-unknown.param", .line(4), .parameter, found: "op_type (0=19)",
      expected: "0…18"),
    HostileFile(
      "eltwise-unknown.param", .line(4), .parameter, found: "op_type (0=3)", expected: "0…2"),
  ]

  /// Weight files with defects.
  static let wrongWeights: [HostileFile] = [
    HostileFile(
      "empty-weights.bin", .byte(0), .weights, found: "0 bytes left",
      expected: "1 × 4 bytes for the storage tag of the weights of InnerProduct b"),
    HostileFile(
      "half-a-tag.bin", .byte(0), .weights, found: "2 bytes left", expected: "the storage tag"),
    HostileFile(
      "tag-only.bin", .byte(4), .weights, found: "0 bytes left",
      expected: "2 × 4 bytes for the weights"),
    HostileFile(
      "truncated-weights.bin", .byte(4), .weights, found: "7 bytes left", expected: "2 × 4 bytes"),
    HostileFile(
      "truncated-halves.bin", .byte(4), .weights, found: "6 bytes left", expected: "3 × 2 bytes"),
    HostileFile(
      "truncated-int8.bin", .byte(4), .weights, found: "7 bytes left", expected: "5 × 1 bytes"),
    HostileFile(
      "missing-int8-scales.bin", .byte(8), .weights, found: "0 bytes left",
      expected: "weight scales"),
    HostileFile(
      "missing-input-scale.bin", .byte(12), .weights, found: "0 bytes left",
      expected: "input scale"),
    HostileFile(
      "nan-weight-scale.bin", .byte(12), .weights,
      found: "nan among the weight scales of Convolution b", expected: "from 2⁻⁶⁰ to 2⁶⁰"),
    HostileFile(
      "zero-weight-scale.bin", .byte(8), .weights, found: "0.0 among the weight scales",
      expected: "from 2⁻⁶⁰ to 2⁶⁰"),
    HostileFile(
      "infinite-input-scale.bin", .byte(16), .weights, found: "inf among the input scale",
      expected: "from 2⁻⁶⁰ to 2⁶⁰"),
    HostileFile(
      "huge-input-scale.bin", .byte(16), .weights, found: "1e+30 among the input scale",
      expected: "from 2⁻⁶⁰ to 2⁶⁰"),
    HostileFile(
      "negative-input-scale.bin", .byte(16), .weights, found: "-4.0 among the input scale",
      expected: "from 2⁻⁶⁰ to 2⁶⁰"),
    HostileFile(
      "zero-output-scale.bin", .byte(20), .weights, found: "0.0 among the output scale",
      expected: "from 2⁻⁶⁰ to 2⁶⁰"),
    HostileFile(
      "subnormal-output-scale.bin", .byte(20), .weights, found: "1e-40 among the output scale",
      expected: "from 2⁻⁶⁰ to 2⁶⁰"),
    HostileFile(
      "missing-weight-scale.bin", .byte(20), .weights, found: "0 bytes left",
      expected: "output scale"),
    HostileFile(
      "truncated-table.bin", .byte(4), .weights, found: "32 bytes left",
      expected: "256 × 4 bytes for the table of the weights"),
    HostileFile(
      "truncated-table-indices.bin", .byte(1028), .weights, found: "2 bytes left",
      expected: "2 × 1 bytes"),
    HostileFile(
      "truncated-bias.bin", .byte(8), .weights, found: "2 bytes left",
      expected: "1 × 4 bytes for the bias of InnerProduct b"),
    HostileFile(
      "far-more-than-the-file.bin", .byte(4), .weights, found: "4 bytes left",
      expected: "268435456 × 4 bytes"),
    HostileFile(
      "param-as-weights.bin", .byte(0), .wrongFile, found: "the text of a .param file",
      expected: "a .bin file"),
    HostileFile(
      "bfloat16-weights.bin", .byte(0), .unsupported, found: "bfloat16 storage of the weights",
      expected: "fp16"),
  ]
}
