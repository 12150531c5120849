// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

extension ViewSpace {
  /// Every combination of steps for one image and view.
  package static func all(image: Size2D, view: Size2D) throws -> [ViewSpace] {
    let placements =
      [ViewSpace.Placement.picture] + Gravity.allCases.map { .view(view, $0) }
    return try Orientation.allCases.flatMap { orientation in
      try [false, true].flatMap { isMirrored in
        try placements.flatMap { placement in
          try CoordinateSystem.allCases.map { system in
            try ViewSpace(
              imageSize: image, orientation: orientation, isMirrored: isMirrored,
              placement: placement, coordinateSystem: system)
          }
        }
      }
    }
  }
}

extension Box {
  /// Rectangles that enclose nothing, or an infinite area.
  package static let degenerate = [
    Box(x: 0, y: 0, width: 0, height: 0),
    Box(x: 0, y: 0, width: 0, height: 5),
    Box(x: 0, y: 0, width: -5, height: -5),
    Box(x: 4, y: 4, width: -4, height: 4),
    Box(x: .nan, y: 0, width: 5, height: 5),
    Box(x: 0, y: .nan, width: 5, height: 5),
    Box(x: 0, y: 0, width: .nan, height: 5),
    Box(x: 0, y: 0, width: 5, height: .nan),
    Box(x: 0, y: 0, width: .infinity, height: 5),
    Box(x: -.infinity, y: 0, width: .infinity, height: 5),
    Box(x: -.infinity, y: 0, width: 5, height: 5),
  ]
}
