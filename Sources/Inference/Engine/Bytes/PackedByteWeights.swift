// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// What the packed weights of a convolution in int8 depend on.
struct ByteWeights: PackingRequest {
  var convolution: WeightedConvolution
  /// Where the input's channels are; in a picture, the byte of each plane.
  var channels: [SourceChannel]
  /// A picture's tables, see `ConvolutionStrategy.tables`. The pixels of a row follow each other, three bytes
  /// each, so that a quad spans pixels.
  var tables: [UInt8]?
  /// The number of the input that stands for 0.
  var zero: UInt8
  var form: ByteOutput.Form
  /// Ranges of output channels that are packed one after the other.
  var parts: [Range<Int>]
  var arithmetic: ByteArithmetic

  var layer: String { convolution.layer }

  func packed() -> PackedByteWeights { PackedByteWeights(self) }

  /// Output channels of a group.
  private var groupWidth: Int { arithmetic.pairsBlocks ? 32 : 16 }

  /// The output channels of each group.
  var groups: [Range<Int>] {
    parts.flatMap { part in
      stride(from: part.lowerBound, to: part.upperBound, by: groupWidth).map {
        $0..<min($0 + groupWidth, part.upperBound)
      }
    }
  }

  /// The most bytes that the packed weights can take: terms that do not fit 16 bits become two.
  var mostBytes: Int {
    let kernel = convolution.operation.kernel
    let quads =
      tables != nil
      ? kernel.height * ((3 * kernel.width + 3) / 4)
      : Set(channels.map { $0.quad }).count * kernel.width * kernel.height
    let blocks = groups.reduce(0) { $0 + ($1.count + 15) / 16 }
    return quads * (arithmetic.addsInSixteenBits ? 2 : 1) * arithmetic.weightBytes * blocks
  }
}

/// The weights of a convolution in int8 in the order in which its kernel reads them.
final class PackedByteWeights {
  /// One or two blocks of 16 output channels.
  struct Group {
    var blocks: Int
    /// The quads that the sums take, in pairs as far as `pairedCount`.
    var quads: [QuadTerm.Place]
    var pairedCount: Int
    /// Where the weights, biases and factors begin.
    var weights: Int
    var biases: Int
    var factors: Int
  }

  private(set) var groups: [Group] = []
  let weights: AlignedBuffer<Int8>
  let factors: ByteFactors
  let tables: AlignedBuffer<UInt8>?

  init(_ request: ByteWeights) {
    let terms = request.tables != nil ? request.pictureTerms : request.channelTerms
    var weights: [Int8] = []
    var factors = ByteFactors.Writer(
      request.convolution, request.form, zero: Int(request.zero) - request.arithmetic.valueOffset)
    for outputs in request.groups {
      let parts = terms.map { $0.keeping(outputs) }
      let (paired, single) =
        request.arithmetic.addsInSixteenBits
        ? QuadTerm.pairedIn16Bits(parts, largest: Int(request.zero) + 127) : (parts, [])
      let blocks = (outputs.count + 15) / 16
      groups.append(
        Group(
          blocks: blocks, quads: (paired + single).map { $0.place },
          pairedCount: paired.count / 2 * 2, weights: weights.count,
          biases: factors.biases.count, factors: factors.factors.count))
      // Two terms of a pair follow each other for each block.
      let pairs = stride(from: 0, to: paired.count / 2 * 2, by: 2).map { paired[$0..<$0 + 2] }
      let rest = (paired[(paired.count / 2 * 2)...] + single).map { [$0][...] }
      for terms in pairs + rest {
        for block in 0..<blocks {
          for term in terms {
            weights += term.weights(ofBlock: block, widened: request.arithmetic.widensWeights)
          }
        }
      }
      for block in stride(from: outputs.lowerBound, to: outputs.upperBound, by: 16) {
        factors.append((block..<block + 16).map { $0 < outputs.upperBound ? $0 : nil })
      }
    }
    self.weights = AlignedBuffer(weights)
    self.factors = ByteFactors(factors)
    tables = request.tables.map { AlignedBuffer($0) }
  }

  var byteCount: Int { weights.byteCount + factors.byteCount + (tables?.byteCount ?? 0) }
}

/// How sums of int8 products become results: the biases that they start from, which make up for the
/// input's zero, for each block 16 factors and 16 addends, and the curve, if any.
final class ByteFactors {
  let biases: AlignedBuffer<Int32>
  let factors: AlignedBuffer<Float>
  let curve: AlignedBuffer<UInt8>?

  init(_ writer: Writer) {
    biases = AlignedBuffer(writer.biases)
    factors = AlignedBuffer(writer.factors)
    curve = writer.curve.map { AlignedBuffer($0.bytes) }
  }

  var byteCount: Int { biases.byteCount + factors.byteCount + (curve?.byteCount ?? 0) }

  struct Writer {
    let convolution: WeightedConvolution
    /// The number that stands for 0 in the products.
    let zero: Int
    /// What is subtracted from a number, and what the difference is multiplied by.
    private var (center, factor) = (0.0, 1.0)
    private(set) var biases: [Int32] = []
    private(set) var factors: [Float] = []
    private(set) var curve: ByteCurve?

    init(_ convolution: WeightedConvolution, _ form: ByteOutput.Form, zero: Int) {
      (self.convolution, self.zero) = (convolution, zero)
      guard case .bytes(let activation, let outputZero) = form else { return }
      (center, factor) = (activation.center, activation.factor)
      curve = activation.curve?.raised(by: Int(outputZero) + Int(activation.smallest))
      // The kernels round a tie to the even integer. One that the network itself asks for is rounded away
      // from zero: the least that a float can be larger takes it off the tie.
      if curve == nil, convolution.operation.int8ScaleTerm > 100 { factor *= 1 + 0x1p-23 }
    }

    /// Appends those of the channel in each of 16 lanes.
    mutating func append(_ channels: [Int?]) {
      guard let scales = convolution.quantization else { return }
      var addends: [Float] = []
      for channel in channels {
        guard let channel else {
          biases.append(0)
          factors.append(0)
          addends.append(0)
          continue
        }
        let sums = convolution.weightSums[channel]
        biases.append(Int32(-zero * sums.total))
        let divisor = scales.divisor(ofChannel: channel)
        let bias = convolution.operation.hasBias ? Double(convolution.biases[channel]) : 0
        // The sum of a channel without weights is 0, and its factor may be infinite.
        factors.append(sums.magnitude == 0 ? 0 : Float(factor / divisor))
        addends.append(Float((bias - center) * factor))
      }
      factors += addends
    }
  }
}
