// SPDX-License-Identifier: Apache-2.0
import YOLOFaceInference
import YOLOFaceNCNN

/// Interprets bytes as a `.npy` file. What is accepted must be the same when written and read
/// again.
public func fuzzTensor(_ bytes: [UInt8]) {
  guard let tensor = try? NPY.decode(bytes, source: "fuzz.npy") else { return }
  guard let again = try? NPY.decode(NPY.encode(tensor), source: "again.npy") else {
    preconditionFailure("what was written cannot be read")
  }
  precondition(again.shape == tensor.shape, "what was written has another shape")
  // By their bits: NaN is not equal to itself.
  precondition(
    again.values.map(\.bitPattern) == tensor.values.map(\.bitPattern),
    "what was written has other values")
}
