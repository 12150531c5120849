// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

extension HostileFile {
  /// Values that the kind of the layer does not allow.
  static let wrongLayers =
    files(
      .parameter,
      ("convolution-without-parameters", "no num_output", "1…268435456"),
      ("missing-output-channels", "no num_output (key 0)", "1…268435456"),
      ("zero-output-channels", "num_output (0=0)", "1…268435456"),
      ("negative-output-channels", "num_output (0=-4)", "1…268435456"),
      ("real-output-channels", "num_output (0=1.500000e+00)", "an integer"),
      ("array-of-output-channels", "-23300=2,1,2", "an integer"),
      ("missing-kernel", "no kernel_w", "1…1048576"),
      ("zero-kernel-height", "kernel_h (11=0)", "1…1048576"),
      ("zero-stride", "stride_w (3=0)", "1…1048576"),
      ("zero-dilation", "dilation_w (2=0)", "1…1048576"),
      ("negative-padding", "pad_left (4=-1)", "0…1048576"),
      ("missing-weight-size", "no weight_data_size", "1…268435456"),
      ("weight-size-no-multiple", "weight_data_size 19", "kernel 3 × 3 × num_output 2"),
      ("sizes-that-overflow", "weight_data_size 268435456", "a multiple of kernel 1048576"),
      ("bias-term-two", "bias_term (5=2)", "0…1"),
      ("zero-group", "group (7=0)", "1…268435456"),
      ("group-that-does-not-divide", "num_output 4 and group 3", "divides"),
      ("activation-without-slope", "9=2 and 0 activation_params", "at least 1"),
      ("activation-with-one-bound", "9=3 and 1 activation_params", "at least 2"),
      ("activation-out-of-range", "activation_type (9=99)", "0…6"),
      ("int8-scheme-out-of-range", "int8_scale_term 3", "101"),
      ("inner-product-int8-scheme-unknown", "int8_scale_term 3", "101"),
      ("int8-border-of-200", "pad_value 200.0 in int8", "−127 ... 127"),
      ("inner-product-without-outputs", "no num_output", "1…268435456"),
      ("inner-product-no-multiple", "weight_data_size 8", "num_output 3"),
      ("memory-data-without-shape", "shape []", "1…268435456"),
      ("memory-data-overflow", "268435456, 268435456", "1…268435456"),
      ("input-above-limit", "w (0=268435457)", "-1…268435456"),
      ("pooling-without-kernel", "no kernel_w", "1…1048576"),
      ("pooling-of-unknown-kind", "pooling_type (0=2)", "0…1"),
      ("pooling-padded-unknown", "pad_mode (5=4)", "0…3"),
      ("pooling-into-nothing", "out_w 0", "positive"),
      ("interp-by-zero", "scales 0.0 and 2.0", "positive"),
      ("interp-to-infinity", "scales 1e+30 and 2.0", "below 65536"),
      ("shuffle-of-zero-groups", "group (0=0)", "1…268435456"),
      ("reshape-without-sizes", "shape []", "at most one may be -1"),
      ("reshape-two-minus-ones", "shape [-1, -1]", "at most one may be -1"),
      ("reshape-without-height", "shape [3, -233, 4]", "c, h and w"),
      ("reshape-minus-two", "w -2", "-233"),
      ("reshape-by-expression", "shape_expr sec(0w),0h", "up to 4 sizes such as 4,*(0c,0h)"),
      ("permute-out-of-range", "order_type (0=24)", "0…23"),
      ("concat-axis-out-of-range", "axis (0=4)", "-4…3"),
      ("softmax-axis-out-of-range", "axis (0=-5)", "-4…3"),
      ("slice-without-sizes", "Slice with slices []", "positive sizes or -233"),
      ("slice-of-negative-size", "slices [-5, 3]", "-233"),
      ("slice-below-any-mark", "slices (0=-234)", "-233"),
      ("slice-by-reals", "-23300=2,1.500000e+00", "integers"),
      ("padding-negative", "top (0=-1048577)", "-1048576…1048576"),
      ("padding-of-unknown-kind", "type (4=3)", "0…2"),
      ("crop-starts-without-ends", "1 starts, 0 ends", "as many starts"),
      ("crop-axis-twice", "axes [1, 1]", "distinct"),
      ("crop-along-five-axes", "5 starts", "at most 4"),
      ("crop-to-a-negative-size", "outw -5", "-233"),
      ("crop-by-contents", "woffset (0=-233)", "0…268435456"),
      ("batch-norm-without-channels", "no channels", "1…268435456"),
      ("group-norm-of-zero-groups", "group (0=0)", "1…268435456"),
      ("group-norm-uneven", "channels 4 and group 3", "divides"),
      ("prelu-without-slopes", "no num_slope", "1…268435456"),
      ("binary-operation-unknown", "op_type (0=19)", "0…18"),
      ("eltwise-unknown", "op_type (0=3)", "0…2"))
    + files(
      .limit,
      ("int8-sums-above-32-bits", "sums of 131073 int8 products", "at most 131072"))
    + files(
      .unsupported,
      ("int8-weights-from-a-blob", "int8_scale_term (8=1)", "not implemented"),
      ("interp-without-kind", "resize_type 0", "1 (nearest), 2 (bilinear) or 3 (bicubic)"))
    + files(
      .graph,
      ("interp-to-a-second-input", "Interp with 1 input", "2"),
      ("scale-by-second-input", "Scale with 1 input", "2"))

  /// Weight files with defects.
  static let wrongWeights: [HostileFile] =
    weights(
      (
        "empty-weights", 0, "0 bytes left",
        "1 × 4 bytes for the storage tag of the weights of InnerProduct b"
      ),
      ("half-a-tag", 0, "2 bytes left", "the storage tag"),
      ("tag-only", 4, "0 bytes left", "2 × 4 bytes for the weights"),
      ("truncated-weights", 4, "7 bytes left", "2 × 4 bytes"),
      ("truncated-halves", 4, "6 bytes left", "3 × 2 bytes"),
      ("truncated-int8", 4, "7 bytes left", "5 × 1 bytes"),
      ("missing-int8-scales", 8, "0 bytes left", "weight scales"),
      ("missing-input-scale", 12, "0 bytes left", "input scale"),
      (
        "nan-weight-scale", 12, "nan among the weight scales of Convolution b",
        "0, or numbers from 2⁻⁶⁰"
      ),
      ("negative-input-scale", 16, "-4.0 among the input scale", "0, or numbers from 2⁻⁶⁰"),
      ("subnormal-output-scale", 20, "1e-40 among the output scale", "0, or numbers from 2⁻⁶⁰"),
      ("missing-weight-scale", 20, "0 bytes left", "output scale"),
      ("truncated-table", 4, "32 bytes left", "256 × 4 bytes for the table of the weights"),
      ("truncated-table-indices", 1028, "2 bytes left", "2 × 1 bytes"),
      ("truncated-bias", 8, "2 bytes left", "1 × 4 bytes for the bias of InnerProduct b"),
      ("far-more-than-the-file", 4, "4 bytes left", "268435456 × 4 bytes"),
      ("infinite-weight", 0, "inf among the weights of InnerProduct b", "not encrypted"),
      ("no-number-as-bias", 12, "nan among the bias of InnerProduct b", "numbers up to 1000000"),
      ("weight-beyond-a-million", 0, "1000000.1 among the weights", "numbers up to 1000000"),
      ("infinite-half", 0, "inf among the weights", "numbers up to 1000000"),
      ("encrypted-weights", 0, "nan among the weights of InnerProduct b", "not encrypted"),
      ("mostly-other-weights", 16, "20 of 36 bytes after the last weights", "take 16 bytes"))
    + [
      .init(
        "param-as-weights.bin", .byte(0), .wrongFile, "the text of a .param file", "a .bin file"),
      .init(
        "bfloat16-weights.bin", .byte(0), .unsupported, "bfloat16 storage of the weights", "fp16"),
    ]
}
