// SPDX-License-Identifier: Apache-2.0

/// A kind that gives the same elements another shape.
protocol ReshapingKind: SingleOutputKind {}

extension ReshapingKind {
  var traits: LayerTraits { LayerTraits(movement: .rearranges) }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    Tensor(shape, inputs[0].values)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    inputs[0] == output ? .sameElement : .moved
  }
}

/// A kind whose elements are the input's, each at the sum of a place for each of its indices.
protocol GatheringKind: SingleOutputKind {
  /// For each axis of the result, the places that its indices add.
  func places(_ input: [Int], shape: [Int]) throws(InferenceError) -> [[Int]]
}

extension GatheringKind {
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) throws(InferenceError) -> Tensor
  {
    inputs[0].gathered(shape, try places(inputs[0].shape, shape: shape))
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .moving(output) }
}

/// Calls a function for the sums of one number of each list, the last list running fastest, which it numbers.
func forEachPlace(_ places: [[Int]], _ body: (_ index: Int, _ place: Int) -> Void) {
  let outer = places.dropLast().reduce([0]) { sums, axis in
    sums.flatMap { sum in axis.map { sum + $0 } }
  }
  var index = 0
  for start in outer {
    for place in places[places.count - 1] {
      body(index, start + place)
      index += 1
    }
  }
}

extension Tensor {
  /// The elements at the sums of one place of each list, a list for each axis of the result.
  func gathered(_ shape: [Int], _ places: [[Int]]) -> Tensor {
    Tensor(appending: shape) { result in forEachPlace(places) { result.append(values[$1]) } }
  }

  /// The elements from a place on that lie so far apart along each axis of the result.
  func strided(_ shape: [Int], from first: Int = 0, by steps: [Int]) -> Tensor {
    let steps = fourAxes(steps, missing: 0)
    let columns = shape[shape.count - 1]
    return Tensor(appending: shape) { result in
      forEachRow(of: shape) { channel, slice, row in
        let start = first + channel * steps[0] + slice * steps[1] + row * steps[2]
        if steps[3] == 1 {
          result += values[start..<start + columns]
        } else {
          for column in 0..<columns { result.append(values[start + column * steps[3]]) }
        }
      }
    }
  }

  /// A tensor whose elements a function appends to none.
  init(appending shape: [Int], _ append: (inout [Float]) -> Void) {
    var values: [Float] = []
    values.reserveCapacity(shape.reduce(1, *))
    append(&values)
    self.init(shape, values)
  }
}

extension Cost {
  /// That of moving the elements of an output; the places of its rows, and in a row, are listed.
  static func moving(_ output: [Int]) -> Cost {
    let places = product(output.dropLast()) + Int64(output.last ?? 1)
    return Cost(steps: product(output), scratchElements: 2 * places)
  }
}
