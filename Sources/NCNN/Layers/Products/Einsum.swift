// SPDX-License-Identifier: Apache-2.0

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
      throw .shape("shapes \(shapes)", expected: "a size for each name of an axis")
    }
    return sizes.map { $0 ?? 1 }
  }

  /// What it takes to begin a row, in steps.
  private static let stepsBetweenRows = 16

  /// The products, each added to its element of the result, in rows along the last name.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) throws(InferenceError) -> Tensor
  {
    let sizes = try sizes(inputs.map { $0.shape })
    let names = sizes.indices.filter { sizes[$0] > 1 }
    let counts = names.map { sizes[$0] }
    /// How far it is in a blob from one position of each name to its next.
    func steps(_ shape: [Int], _ axes: [Int]) -> [Int] {
      var steps = [Int](repeating: 0, count: sizes.count)
      for (name, step) in zip(axes, strides(of: shape)) { steps[name] += step }
      return names.map { steps[$0] }
    }
    let operands = zip(inputs, self.inputs).map { ($0.values, steps($0.shape, $1)) }
    let target = steps(shape, output)
    var positions = counts.dropLast().map { _ in 0 }
    func row(_ steps: [Int]) -> (start: Int, step: Int) {
      (zip(positions, steps).reduce(0) { $0 + $1.0 * $1.1 }, steps.last ?? 0)
    }
    var products = [Float](repeating: 1, count: counts.last ?? 1)
    var result = Tensor(shape)
    for number in 0..<counts.dropLast().reduce(1, *) {
      var rest = number
      for name in positions.indices.reversed() {
        (rest, positions[name]) = rest.quotientAndRemainder(dividingBy: counts[name])
      }
      for index in products.indices { products[index] = 1 }
      for (values, steps) in operands {
        let (start, step) = row(steps)
        for index in products.indices { products[index] *= values[start &+ index &* step] }
      }
      let (start, step) = row(target)
      for index in products.indices { result.values[start &+ index &* step] += products[index] }
    }
    return result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    guard let sizes = try? sizes(inputs) else { return Cost() }
    let length = sizes.last { $0 > 1 } ?? 1
    let count = product(sizes)
    let rows = Int(clamping: count / Int64(length))
    return Cost(
      steps: product([rows, length + Self.stepsBetweenRows, inputs.count + 1]), multiplyAdds: count,
      scratchElements: Int64(length))
  }
}
