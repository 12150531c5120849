/// x · scale; at a scale of 1 the same blob.
func dropout(_ input: Tensor, scale: Float) -> Tensor {
  scale == 1 ? input : input.mapped { $0 * scale }
}
