// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

/// A quad of inputs, four neighbouring bytes, with its weights.
struct QuadTerm {
  /// Where the quad is: the channel that it begins with, and the rows and columns of the input from a
  /// window's first.
  struct Place: Equatable {
    var source: SourceChannel
    var row: Int
    var column: Int
  }

  var place: Place
  /// Output channels × 4.
  var weights: [Int8]

  /// The weights of 16 output channels, zeros beyond the last; widened as `ByteInstructionSet` says.
  func weights(ofBlock block: Int, widened: Bool) -> [Int8] {
    var weights = Array(weights.dropFirst(64 * block).prefix(64))
    weights += [Int8](repeating: 0, count: 64 - weights.count)
    guard widened else { return weights }
    // Two bytes for each, the lower one first.
    var bytes = [Int8](repeating: 0, count: 128)
    for index in 0..<64 {
      let weight = weights[index / 16 * 16 + index % 8 * 2 + index % 16 / 8]
      (bytes[2 * index], bytes[2 * index + 1]) = (weight, weight >> 7)
    }
    return bytes
  }

  /// The term for some of the output channels.
  func keeping(_ outputs: Range<Int>) -> QuadTerm {
    QuadTerm(place: place, weights: Array(weights[4 * outputs.lowerBound..<4 * outputs.upperBound]))
  }
}

extension SourceChannel {
  /// The first of the four neighbouring lanes.
  var quad: SourceChannel { SourceChannel(block: block, lane: lane / 4 * 4) }
}

extension ByteWeights {
  /// The quads of a picture's windows: the bytes of each row follow each other.
  var pictureTerms: [QuadTerm] {
    let kernel = convolution.operation.kernel
    let outputs = convolution.operation.outputChannels
    var planes = [0, 0, 0]
    for (plane, source) in channels.enumerated() { planes[source.lane] = plane }
    return (0..<kernel.height).flatMap { row in
      stride(from: 0, to: 3 * kernel.width, by: 4).map { first in
        var weights = [Int8](repeating: 0, count: 4 * outputs)
        for byte in first..<min(first + 4, 3 * kernel.width) {
          let (column, plane) = (byte / 3, planes[byte % 3])
          for output in 0..<outputs {
            let index = ((output * 3 + plane) * kernel.height + row) * kernel.width + column
            weights[4 * output + byte - first] = Int8(convolution.weights[index])
          }
        }
        return QuadTerm(
          place: QuadTerm.Place(
            source: SourceChannel(block: 0, lane: first), row: row, column: 0), weights: weights)
      }
    }
  }

  /// The quads of blocks: four neighbouring lanes at each tap of the kernel, where any of them is
  /// read.
  var channelTerms: [QuadTerm] {
    let operation = convolution.operation
    let outputs = operation.outputChannels
    let taps = operation.taps
    var quads: [SourceChannel: [(lane: Int, channel: Int)]] = [:]
    for (channel, place) in channels.enumerated() {
      quads[place.quad, default: []].append((place.lane % 4, channel))
    }
    return quads.keys.sorted { ($0.block, $0.lane) < ($1.block, $1.lane) }.flatMap { quad in
      taps.enumerated().map { tap, place in
        var weights = [Int8](repeating: 0, count: 4 * outputs)
        for (lane, channel) in quads[quad] ?? [] {
          for output in 0..<outputs {
            let index = (output * channels.count + channel) * taps.count + tap
            weights[4 * output + lane] = Int8(convolution.weights[index])
          }
        }
        return QuadTerm(
          place: QuadTerm.Place(source: quad, row: place.row, column: place.column),
          weights: weights)
      }
    }
  }
}

/// Products that are added in 16 bits.
extension QuadTerm {
  /// Divides terms into pairs whose products fit 16 bits together, and single ones whose products do
  /// alone. Inputs are at most `largest`. Of the products, those of neighbouring bytes are added: two,
  /// or in a pair four.
  static func pairedIn16Bits(
    _ terms: [QuadTerm], largest: Int
  ) -> (paired: [QuadTerm], single: [QuadTerm]) {
    var rest = terms.flatMap { term in
      pairsFitIn16Bits(term.weights, largest: largest) ? [term] : term.halves
    }[...]
    var (paired, single): ([QuadTerm], [QuadTerm]) = ([], [])
    while let term = rest.popFirst() {
      if let index = rest.prefix(16).firstIndex(where: {
        pairsFitIn16Bits(term.weights, and: $0.weights, largest: largest)
      }) {
        // In place of the next one, which takes no time, however many follow.
        rest.swapAt(index, rest.startIndex)
        paired += [term, rest.removeFirst()]
      } else {
        single.append(term)
      }
    }
    return (paired, single)
  }

  /// Two terms whose weights add up to this one's.
  private var halves: [QuadTerm] {
    [
      QuadTerm(place: place, weights: weights.map { $0 / 2 }),
      QuadTerm(place: place, weights: weights.map { $0 - $0 / 2 }),
    ]
  }
}

/// Whether the products of neighbouring weights, and of those of another term, with inputs of at most `largest` fit 16
/// bits together.
func pairsFitIn16Bits(_ weights: [Int8], and others: [Int8]? = nil, largest: Int) -> Bool {
  stride(from: 0, to: weights.count, by: 2).allSatisfy { index in
    var (positive, negative) = (0, 0)
    func add(_ weight: Int8) {
      if weight > 0 { positive += Int(weight) } else { negative += Int(weight) }
    }
    for index in index...index + 1 {
      add(weights[index])
      if let others { add(others[index]) }
    }
    return positive * largest <= 32767 && negative * largest >= -32768
  }
}
