/// The shapes of copies of a blob.
func splitShapes(_ input: [Int], into count: Int) -> [[Int]] {
  Array(repeating: input, count: count)
}

/// Copies of a blob, which share its storage.
func split(_ input: Tensor, into count: Int) -> [Tensor] { Array(repeating: input, count: count) }
