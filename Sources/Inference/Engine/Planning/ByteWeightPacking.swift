import Kernels
import NCNN

/// A quad of inputs with its weights.
private struct QuadTerm {
  /// The offset in bytes of the quad, and the block that it is relative to where that is in the
  /// arena.
  var offset: Int
  var block: Int?
  /// Output channels × 4.
  var weights: [Int8]
}

/// Writes the sources and weights of int8 convolutions into the plan, as the kernels read them.
extension Planner {
  /// Writes quads and weights, biases and factors for one or two blocks of 16 channels at a time.
  mutating func packByteSources(
    _ convolution: WeightedConvolution, _ channels: [SourceChannel],
    _ step: inout ByteConvolutionStep
  ) {
    let terms =
      if case .picture = step.source { pictureTerms(convolution, step.windows) } else {
        channelTerms(convolution, channels, step)
      }
    let outputs = convolution.operation.outputChannels
    let width = pairsByteBlocks ? 32 : 16
    for first in stride(from: 0, to: outputs, by: width) {
      let range = first..<min(first + width, outputs)
      let parts = terms.map { $0.keeping(range) }
      let (paired, single) =
        addsInSixteenBits
        ? pairedIn16Bits(parts, largest: Int(step.zero) + 127) : (parts, [])
      packGroup(paired, single, outputs: range, &step)
      for block in stride(from: first, to: range.upperBound, by: 16) {
        appendFactors(
          (block..<block + 16).map { $0 < outputs ? $0 : nil }, convolution, step.output.form,
          zero: step.zero)
      }
    }
  }

  /// Writes the sources and weights of a group of output channels: pairs of terms, and single ones.
  private mutating func packGroup(
    _ paired: [QuadTerm], _ single: [QuadTerm], outputs: Range<Int>,
    _ step: inout ByteConvolutionStep
  ) {
    let (pairs, rest) = (paired.count / 2, paired[(paired.count / 2 * 2)...] + single)
    let blocks = (outputs.count + 15) / 16
    step.groups.append(
      ByteConvolutionStep.OutputGroup(
        blocks: blocks, sources: plan.sources.count, sourceCount: paired.count + single.count,
        pairedCount: 2 * pairs, weights: plan.byteWeights.count, biases: plan.byteBiases.count,
        factors: plan.weights.count))
    for term in paired + single {
      if case .blocks = step.source, let block = term.block {
        step.blockOfSource.append((plan.sources.count, block))
      }
      plan.sources.append(term.offset)
    }
    for pair in 0..<pairs {
      for block in 0..<blocks {
        appendWeights(of: paired[2 * pair], block: block)
        appendWeights(of: paired[2 * pair + 1], block: block)
      }
    }
    for term in rest {
      for block in 0..<blocks { appendWeights(of: term, block: block) }
    }
  }

  private mutating func appendWeights(of term: QuadTerm, block: Int) {
    let weights = term.weights.dropFirst(64 * block).prefix(64)
    plan.byteWeights += weights + [Int8](repeating: 0, count: 64 - weights.count)
  }

  /// Appends, for the channel in each of 16 lanes, what its sum starts from, which makes up for the
  /// input's zero, and the factor and the addend that take the sum to the result.
  private mutating func appendFactors(
    _ channels: [Int?], _ convolution: WeightedConvolution, _ form: ByteOutput.Form, zero: UInt8
  ) {
    guard let scales = convolution.quantisation else { return }
    let centre = form.mapping.centre
    var factor = form.mapping.factor
    // The kernels round a tie to the even integer. One that the network itself asks for is rounded away from
    // zero: the least that a float can be larger takes it off the tie.
    if case .bytes = form, convolution.operation.int8ScaleTerm > 100 { factor *= 1 + 0x1p-23 }
    var (factors, addends): ([Float], [Float]) = ([], [])
    for channel in channels {
      guard let channel else {
        plan.byteBiases.append(0)
        factors.append(0)
        addends.append(0)
        continue
      }
      let sums = convolution.weightSums(of: channel)
      plan.byteBiases.append(Int32(-Int(zero) * sums.total))
      let unit = Double(scales.inputScale) * Double(scales.weightScales[channel])
      let bias = convolution.operation.hasBias ? Double(convolution.biases[channel]) : 0
      // The sum of a channel without weights is 0, and its factor may be infinite.
      factors.append(sums.magnitude == 0 ? 0 : Float(factor / unit))
      addends.append(Float((bias - centre) * factor))
    }
    plan.weights += factors + addends
  }

  /// The quads of a picture's windows: the bytes of each row follow each other.
  private func pictureTerms(
    _ convolution: WeightedConvolution, _ windows: Windows
  ) -> [QuadTerm] {
    let (rows, columns) = (windows.kernel.height, windows.kernel.width)
    let channels = convolution.operation.outputChannels
    let order = normalisation?.order ?? .rgb
    var planes = [0, 0, 0]
    for plane in 0..<3 { planes[order.byte(ofPlane: plane)] = plane }
    return (0..<rows).flatMap { row in
      stride(from: 0, to: 3 * columns, by: 4).map { first in
        var weights = [Int8](repeating: 0, count: 4 * channels)
        for byte in first..<min(first + 4, 3 * columns) {
          let (column, plane) = (byte / 3, planes[byte % 3])
          for channel in 0..<channels {
            let index = ((channel * 3 + plane) * rows + row) * columns + column
            weights[4 * channel + byte - first] = Int8(convolution.weights[index])
          }
        }
        return QuadTerm(
          offset: row * windows.borderedColumns * 3 + first, block: nil, weights: weights)
      }
    }
  }

  /// The quads of blocks: four neighbouring lanes at each tap of the kernel, where any of them is
  /// read.
  private func channelTerms(
    _ convolution: WeightedConvolution, _ channels: [SourceChannel], _ step: ByteConvolutionStep
  ) -> [QuadTerm] {
    let windows = step.windows
    let outputs = convolution.operation.outputChannels
    let taps = windows.kernel.width * windows.kernel.height
    var quads: [SourceChannel: [(lane: Int, channel: Int)]] = [:]
    for (channel, place) in channels.enumerated() {
      quads[SourceChannel(block: place.block, lane: place.lane / 4 * 4), default: []].append(
        (place.lane % 4, channel))
    }
    return quads.keys.sorted { ($0.block, $0.lane) < ($1.block, $1.lane) }.flatMap { quad in
      (0..<taps).map { tap in
        var weights = [Int8](repeating: 0, count: 4 * outputs)
        for (lane, channel) in quads[quad] ?? [] {
          for output in 0..<outputs {
            let weight = convolution.weights[(output * channels.count + channel) * taps + tap]
            weights[4 * output + lane] = Int8(weight)
          }
        }
        let (row, column) = (tap / windows.kernel.width, tap % windows.kernel.width)
        return QuadTerm(
          offset: offset(
            of: quad, row: row * windows.dilation.height, column: column * windows.dilation.width,
            step), block: step.source.blocks.isEmpty ? nil : step.source.blocks[quad.block],
          weights: weights)
      }
    }
  }

  private func offset(
    of quad: SourceChannel, row: Int, column: Int, _ step: ByteConvolutionStep
  ) -> Int {
    let windows = step.windows
    switch step.source {
    // Relative to the block, which the executor adds.
    case .blocks: return quad.lane
    case .depthwise: return quad.block * step.chunk * windows.outputColumns * 16 + quad.lane
    case .bordered, .picture:
      let rows = windows.borderedRows(step.chunk)
      return ((quad.block * rows + row) * windows.borderedColumns + column) * 16 + quad.lane
    }
  }

  /// Packs the weights of each block of a depthwise convolution, lane by lane.
  mutating func packByteDepthwise(
    _ convolution: WeightedConvolution, _ input: BlockedBlob, _ step: inout ByteDepthwiseStep
  ) {
    let kernel = step.windows.kernel
    var blocks: [Int: Int] = [:]
    let size = step.weightBytes
    for block in input.blocks {
      blocks[block] = step.weights.count * size
      step.weights.append(plan.byteWeights.count + step.weights.count * size)
    }
    var weights = [Int8](repeating: 0, count: step.weights.count * size)
    for (channel, place) in input.channels.enumerated() {
      for row in 0..<kernel.height {
        for column in 0..<kernel.width {
          let weight = Int8(
            convolution.weights[(channel * kernel.height + row) * kernel.width + column])
          let rowStart = (blocks[place.block] ?? 0) + row * size / kernel.height + 4 * place.lane
          weights[rowStart + column / 4 * 64 + column % 4] = weight
          if step.sharesColumns { weights[rowStart + 64 + column + 1] = weight }
        }
      }
    }
    let largest = Int(step.zero) + 127
    if addsInSixteenBits && !fitIn16Bits(weights, largest) {
      // Even columns first, then odd ones, so that one product of each pair is 0.
      step.passes = 2
      for index in step.weights.indices { step.weights[index] += index * size }
      weights = stride(from: 0, to: weights.count, by: size).flatMap { start in
        let part = weights[start..<start + size]
        return [0, 1].flatMap { odd in
          part.enumerated().map { $0.offset % 2 == odd ? $0.element : 0 }
        }
      }
    }
    plan.byteWeights += weights
  }

  private func fitIn16Bits(_ weights: [Int8], _ largest: Int) -> Bool {
    stride(from: 0, to: weights.count, by: 2).allSatisfy { index in
      let (a, b) = (Int(weights[index]), Int(weights[index + 1]))
      return (max(a, 0) + max(b, 0)) * largest <= 32767
        && (min(a, 0) + min(b, 0)) * largest >= -32768
    }
  }

  /// Packs the biases and factors of each block of a depthwise convolution, lane by lane.
  mutating func packFactors(_ convolution: WeightedConvolution, _ step: inout ByteDepthwiseStep) {
    var channels: [Int: [Int?]] = [:]
    for (channel, place) in step.places.enumerated() {
      channels[place.block, default: Array(repeating: nil, count: 16)][place.lane] = channel
    }
    for block in step.from {
      step.biases.append(plan.byteBiases.count)
      step.factors.append(plan.weights.count)
      appendFactors(
        channels[block] ?? [], convolution, step.output.form, zero: step.zero)
    }
  }

  /// Divides terms into pairs whose products fit 16 bits together, and single ones whose products do
  /// alone. Inputs are at most `largest`. Of the products, those of neighbouring bytes are added: two,
  /// or in a pair four.
  private func pairedIn16Bits(
    _ terms: [QuadTerm], largest: Int
  ) -> (paired: [QuadTerm], single: [QuadTerm]) {
    var rest = terms.flatMap { $0.fits(nil, largest) ? [$0] : $0.halves }[...]
    var (paired, single): ([QuadTerm], [QuadTerm]) = ([], [])
    while let term = rest.popFirst() {
      if let index = rest.prefix(16).firstIndex(where: { term.fits($0, largest) }) {
        // In place of the next one, which takes no time, however many follow.
        rest.swapAt(index, rest.startIndex)
        paired += [term, rest.removeFirst()]
      } else {
        single.append(term)
      }
    }
    return (paired, single)
  }
}

extension QuadTerm {
  /// The term for some of the output channels.
  fileprivate func keeping(_ outputs: Range<Int>) -> QuadTerm {
    var term = self
    term.weights = Array(weights[4 * outputs.lowerBound..<4 * outputs.upperBound])
    return term
  }

  /// Two terms whose weights add up to this one's.
  fileprivate var halves: [QuadTerm] {
    var (first, second) = (self, self)
    first.weights = weights.map { $0 / 2 }
    second.weights = weights.map { $0 - $0 / 2 }
    return [first, second]
  }

  /// Whether the products of this term, and of another one, fit 16 bits.
  fileprivate func fits(_ other: QuadTerm?, _ largest: Int) -> Bool {
    stride(from: 0, to: weights.count, by: 2).allSatisfy { index in
      var (positive, negative) = (0, 0)
      func add(_ weight: Int8) {
        if weight > 0 { positive += Int(weight) } else { negative += Int(weight) }
      }
      for index in index...index + 1 {
        add(weights[index])
        if let other { add(other.weights[index]) }
      }
      return positive * largest <= 32767 && negative * largest >= -32768
    }
  }
}
