// SPDX-License-Identifier: Apache-2.0

/// The fuzzers by name. Each processes bytes as a program would, and traps where the result cannot
/// be right.
public let fuzzers: [String: @Sendable ([UInt8]) -> Void] = [
  "FuzzDecoding": fuzzDecoding, "FuzzGroundTruth": fuzzGroundTruth, "FuzzModel": fuzzModel,
  "FuzzParam": fuzzParam, "FuzzPicture": fuzzPicture, "FuzzSidecar": fuzzSidecar,
  "FuzzTensor": fuzzTensor,
]

/// The fuzzers that only read text, whose time may grow with its length alone.
public let textFuzzers: Set = ["FuzzGroundTruth", "FuzzSidecar"]
