// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceLibC

extension HeadLevel {
  /// A head that moves boxes which a cell's proposals start from, as in SSD
  /// (Liu et al., "SSD: Single Shot MultiBox Detector", 2016, https://arxiv.org/abs/1512.02325); see
  /// `FaceFamily.retinaFace`.
  ///
  /// The level's maps are two channels for each anchor, background and face; four, the box's t; and ten, the
  /// landmarks, where there are any.
  ///
  /// - Parameters:
  ///   - order: the order of the scores' channels.
  ///   - dividesInput: whether the cells divide the input evenly, so that they are smaller than the stride where the
  ///     input is no multiple of it, and no anchor is larger than the input.
  func priorBoxes(order: ClassOrder, dividesInput: Bool = false) -> FaceHead {
    let (stride, count, center) = (stride, anchors.count, recipe.anchorCenter)
    let (centerVariance, sizeVariance) = (recipe.variances?[0] ?? 0.1, recipe.variances?[1] ?? 0.2)
    @Sendable func anchor(of cell: CellValues) -> Size2D {
      self.anchor(cell.anchor, in: cell.grid, dividesInput: dividesInput)
    }
    // A place of a proposal, from two values of it.
    @Sendable func place(_ cell: CellValues, _ x: Double, _ y: Double) -> Point2D {
      let size = cell.grid.cellSize(stride: stride, dividesInput: dividesInput)
      let anchor = anchor(of: cell)
      return Point2D(
        x: Double(cell.column) * size.width + (center ?? size.width / 2)
          + centerVariance * x * anchor.width,
        y: Double(cell.row) * size.height + (center ?? size.height / 2)
          + centerVariance * y * anchor.height)
    }
    // Softmax of two numbers is the logistic function of their difference.
    @Sendable func logit(_ cell: CellValues) -> Double {
      let (background, face) = order.channels(of: cell.anchor, among: count)
      return cell[0, face] - cell[0, background]
    }
    let start = center.map { "C · S + \(brief($0))" } ?? "(C + 0.5) · S"
    func part(_ variance: Double) -> String { variance == 1 ? "t" : "\(brief(variance)) t" }
    let point = "\(start) + \(part(centerVariance)) · A"
    return FaceHead(
      self, dividesInput: dividesInput, confidence: ConfidenceForm(isProbability: false),
      score: "face − background", logit,
      numbers: [
        .init(.center, point, in: 1), .init(.points, point, in: 2),
        .init(.size, "A · exp(\(part(sizeVariance)))", in: 1, from: 2),
      ]
    ) { cell, score in
      let (box, mark) = (4 * cell.anchor, 10 * cell.anchor)
      let anchor = anchor(of: cell)
      return Face(
        score: score,
        box: Box(
          center: place(cell, cell[1, box], cell[1, box + 1]),
          size: Size2D(
            width: anchor.width * exp(sizeVariance * cell[1, box + 2]),
            height: anchor.height * exp(sizeVariance * cell[1, box + 3]))),
        landmarks: landmarks { number in
          place(cell, cell[2, mark + 2 * number], cell[2, mark + 2 * number + 1])
        })
    }
  }
}

extension ClassOrder {
  fileprivate func channels(of anchor: Int, among count: Int) -> (background: Int, face: Int) {
    switch self {
    case .byAnchor: (2 * anchor, 2 * anchor + 1)
    case .byClass: (anchor, count + anchor)
    case .faceFirst: (2 * anchor + 1, 2 * anchor)
    }
  }
}

extension FamilyRecipe {
  /// ImageNet's means, with which the backbone was trained, and planes of blue, green, red.
  mutating func useMeansOfImageNet() {
    planes = .bgr
    mean = [123, 117, 104]
    divisor = 1
    fill = 0
  }
}
