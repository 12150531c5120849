/// x · clamp(alpha · x + beta, 0, 1)
func hardSwish(_ x: Float, alpha: Float, beta: Float) -> Float {
  x * hardSigmoid(x, alpha: alpha, beta: beta)
}
