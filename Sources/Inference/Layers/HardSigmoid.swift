/// clamp(alpha · x + beta, 0, 1)
func hardSigmoid(_ x: Float, alpha: Float, beta: Float) -> Float {
  min(max(alpha * x + beta, 0), 1)
}
