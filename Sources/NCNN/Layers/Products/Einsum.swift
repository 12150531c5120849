/// A sum of products over named axes, as `ij,jk->ik`; axes that the result lacks are summed over.
struct Einsum: SingleOutputKind, Hashable {
  /// For each input, the number of the name of each axis, 0 for i.
  let inputs: [[Int]]
  /// The numbers of the names of the result's axes.
  let output: [Int]

  init(_ reader: ParameterReader) throws(ModelError) {
    let text = try reader.integers(0, "equation", in: 0...127).map { UInt8($0) }
    let parts = text.split(separator: UInt8(ascii: ">"), omittingEmptySubsequences: false)
    let left = parts[0].dropLast().split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    func names(_ part: ArraySlice<UInt8>) -> [Int]? {
      let names = part.map { Int($0) - Int(UInt8(ascii: "i")) }
      return (1...4).contains(names.count) && names.allSatisfy((0..<8).contains) ? names : nil
    }
    inputs = left.compactMap(names)
    guard parts.count == 2, parts[0].last == UInt8(ascii: "-"), let output = names(parts[1]),
      inputs.count == left.count, Set(output).count == output.count,
      Set(inputs.joined()).isSuperset(of: output)
    else {
      throw reader.refusal(
        "the equation \(String(decoding: text, as: UTF8.self))",
        expected: "axes named i to p such as ij,jk->ik, each of the result's in an input")
    }
    self.output = output
  }

  var traits: LayerTraits { LayerTraits(inputs: inputs.count...inputs.count) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let sizes = try sizes(inputs)
    return output.map { sizes[$0] }
  }

  /// The size of each named axis up to the last that an input has; 1 for one that none has.
  private func sizes(_ shapes: [[Int]]) throws(InferenceError) -> [Int] {
    var sizes = [Int?](repeating: nil, count: (inputs.joined().max() ?? 0) + 1)
    var fits = shapes.map { $0.count } == inputs.map { $0.count }
    for (size, name) in zip(shapes.joined(), inputs.joined()) where fits {
      fits = sizes[name] == nil || sizes[name] == size
      sizes[name] = size
    }
    guard fits else {
      throw InferenceError(
        .shape, found: "shapes \(shapes)", expected: "a size for each name of an axis")
    }
    return sizes.map { $0 ?? 1 }
  }

  /// The products, each added to its element of the result, row by row.
  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let sizes = try sizes(inputs.map { $0.shape })
    // A name with one position never moves on.
    let names = sizes.indices.filter { sizes[$0] > 1 }
    let counts = names.map { sizes[$0] }
    func rows(_ shape: [Int], _ axes: [Int]) -> Rows {
      var steps = [Int](repeating: 0, count: sizes.count)
      for (name, step) in zip(axes, strides(of: shape)) { steps[name] += step }
      return Rows(steps: names.map { steps[$0] }, counts: counts)
    }
    var readers = zip(inputs, self.inputs).map { rows($0.shape, $1) }
    var target = rows(shape, output)
    var positions = counts.dropLast().map { _ in 0 }
    var products = [Float](repeating: 1, count: counts.last ?? 1)
    var result = Tensor(shape)
    while true {
      for index in products.indices { products[index] = 1 }
      for index in readers.indices { readers[index].multiply(&products, by: inputs[index].values) }
      target.add(products, to: &result.values)
      // The last name whose positions are not at an end moves on, and those after it begin again.
      guard let moving = positions.indices.last(where: { positions[$0] < counts[$0] - 1 }) else {
        return result
      }
      positions[moving] += 1
      for name in (moving + 1)..<positions.count { positions[name] = 0 }
      for index in readers.indices { readers[index].move(moving) }
      target.move(moving)
    }
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    guard let sizes = try? sizes(inputs) else { return Cost() }
    let length = sizes.last { $0 > 1 } ?? 1
    let count = work(sizes)
    let rows = Int(clamping: count / Int64(length))
    return Cost(
      steps: work([rows, length + Rows.stepsBetween, inputs.count + 1]), multiplyAdds: count,
      scratchElements: Int64(length))
  }
}

/// The elements of a blob in rows along the last name.
private struct Rows {
  /// Where the present row begins.
  private var start = 0
  private let step: Int
  /// How far it is to the next row, by the name that moves on while those after it begin again.
  private let moves: [Int]

  /// What it takes to begin a row, in steps.
  static let stepsBetween = 16

  /// - Parameters:
  ///   - steps: how far it is from one position of each name to its next.
  ///   - counts: the number of each name's positions.
  init(steps: [Int], counts: [Int]) {
    step = steps.last ?? 0
    var back = 0
    var moves: [Int] = []
    for (step, count) in zip(steps, counts).dropLast().reversed() {
      moves.append(step - back)
      back += (count - 1) * step
    }
    self.moves = moves.reversed()
  }

  mutating func move(_ name: Int) { start += moves[name] }

  func multiply(_ products: inout [Float], by values: [Float]) {
    for index in products.indices { products[index] *= values[start &+ index &* step] }
  }

  func add(_ products: [Float], to values: inout [Float]) {
    for index in products.indices { values[start &+ index &* step] += products[index] }
  }
}
