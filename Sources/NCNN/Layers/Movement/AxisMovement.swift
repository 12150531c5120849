/// The sums of one number of each list, the last list running fastest: where elements are, if each axis adds
/// a distance of its own.
func forEachPlace(_ places: [[Int]], _ body: (Int) -> Void) {
  let outer = places.dropLast().reduce([0]) { sums, axis in
    sums.flatMap { sum in axis.map { sum + $0 } }
  }
  for start in outer {
    for place in places[places.count - 1] { body(start + place) }
  }
}

extension Tensor {
  /// The elements at places that are sums of one number for each axis of the result.
  func gathered(_ shape: [Int], _ places: [[Int]]) -> Tensor {
    var result: [Float] = []
    result.reserveCapacity(shape.reduce(1, *))
    forEachPlace(places) { result.append(values[$0]) }
    return Tensor(shape, result)
  }
}

extension Cost {
  /// That of moving the elements of an output; the places of its rows, and in a row, are listed.
  static func moving(_ output: [Int]) -> Cost {
    let places = product(output.dropLast()) + Int64(output.last ?? 1)
    return Cost(steps: product(output), scratchElements: 2 * places)
  }
}
