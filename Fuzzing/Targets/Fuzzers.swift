/// The fuzzers by name. Each takes bytes, does with them what a program would, and stops where what
/// comes out cannot be right.
public let fuzzers: [String: @Sendable ([UInt8]) -> Void] = [
  "FuzzDecoding": fuzzDecoding, "FuzzGroundTruth": fuzzGroundTruth, "FuzzModel": fuzzModel,
  "FuzzParam": fuzzParam, "FuzzPicture": fuzzPicture, "FuzzTensor": fuzzTensor,
]
