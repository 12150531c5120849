import FaceDecoding
import YOLOFace

/// Interprets bytes up to the first 0 as a recipe, and the others as what its heads read. What is
/// accepted must be the same when written and read again.
public func fuzzRecipe(_ bytes: [UInt8]) {
  let end = bytes.firstIndex(of: 0) ?? bytes.count
  guard let family = try? FamilyRecipe(json: Array(bytes[..<end]), source: "fuzz.json") else {
    return
  }
  guard let text = try? family.json(),
    let again = try? FamilyRecipe(json: Array(text.utf8), source: "again.json")
  else { preconditionFailure("what was written cannot be read") }
  precondition(again == family, "what was written is another recipe")
  guard let recipe = try? family.recipe() else { return }
  var input = FuzzInput(Array(bytes[end...]))
  for head in recipe.heads { search(head, &input) }
}

/// Looks for faces among arbitrary values of a small grid.
private func search(_ head: FaceHead, _ input: inout FuzzInput) {
  let grid = head.grid(inputWidth: 2 * head.stride, inputHeight: head.stride + 1)
  var outputs = head.blobs.map { _ in (shape: [Int](), values: [Float]()) }
  let threshold = ScoreThreshold(input.float())
  while true {
    do throws(FaceHeadError) {
      let candidates = try head.candidates(in: outputs, grid, threshold: threshold)
      precondition(candidates.allSatisfy { (0...1).contains($0.face.score) })
      precondition(candidates.count <= grid.count * head.anchors.count, "too many candidates")
      for part in try head.confidences(in: outputs, grid) {
        precondition(part.values.count == grid.count * head.anchors.count, "values are missing")
      }
      return
    } catch {
      // The error tells which shape a blob must have.
      guard case .shape(let blob, let shape, _) = error,
        let index = head.blobs.indices.first(where: {
          head.blobs[$0] == blob && outputs[$0].shape != shape
        })
      else { return }
      let count = shape.reduce(1, *)
      // A few values, and the rest of the blob as the first.
      let values = (0..<min(count, 64)).map { _ in input.float() }
      outputs[index] = (
        shape, values + Array(repeating: values.first ?? 0, count: count - values.count)
      )
    }
  }
}
