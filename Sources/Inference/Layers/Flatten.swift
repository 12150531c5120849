/// One axis of all elements.
func flattenedShape(_ input: [Int]) -> [Int] { [input.reduce(1, *)] }

/// All elements in one row.
func flattened(_ input: Tensor) -> Tensor { Tensor(flattenedShape(input.shape), input.values) }
