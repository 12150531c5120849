// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// A convolution of the caller's tensor of few channels, which is copied with a border, channels
/// innermost.
struct TensorConvolution: BorderedStrategy {
  var convolution: PackedConvolution
  /// The number of the tensor in the plan.
  let tensor: Int
  let copy: BorderedCopy

  var kind: String { "first convolution" }

  var tensorReads: [Int] { [tensor] }

  var reads: [Int] { [] }

  func outerBytes(_ plan: Plan) -> Int { convolution.weightBytes + plan.bytes(ofTensors: [tensor]) }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let windows = convolution.windows
    let rows = rows(ofTask: task)
    let channels = copy.pixelElements
    let plane = windows.inputRows * windows.inputColumns
    executor.tensors[tensor].values.withUnsafeBufferPointer { values in
      copy.forEachRow(
        windows.borderedRows(rows.count), firstRow: rows.lowerBound, in: scratch, border: 0
      ) { inner, inputRow in
        for channel in 0..<channels {
          for x in 0..<copy.copiedColumns {
            inner[x * channels + channel] =
              values[channel * plane + inputRow * windows.inputColumns + x]
          }
        }
      }
    }
    convolve(executor, rows, from: scratch)
  }
}

/// A convolution of the caller's picture, 8-bit RGB, which is copied with a border; the divisors are
/// part of the weights.
struct PictureConvolution: BorderedStrategy {
  var convolution: PackedConvolution
  let normalization: Normalization
  let copy: BorderedCopy

  var kind: String { "first convolution" }

  var reads: [Int] { [] }

  func outerBytes(_ plan: Plan) -> Int {
    convolution.weightBytes + 3 * convolution.windows.inputPixels
  }

  func inputDivisor(ofChannel channel: Int) -> Float {
    normalization.divisors[normalization.order.byte(ofPlane: channel)]
  }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    guard let picture = executor.picture else { return }
    let windows = convolution.windows
    let rows = rows(ofTask: task)
    copy.forEachRow(
      windows.borderedRows(rows.count), firstRow: rows.lowerBound, in: scratch, border: 0
    ) { inner, inputRow in
      executor.kernels.convertBytes(
        picture + inputRow * windows.inputColumns * 3, copy.copiedColumns * 3,
        normalization.mean, inner)
    }
    convolve(executor, rows, from: scratch)
  }
}
