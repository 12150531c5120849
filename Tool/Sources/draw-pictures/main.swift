// SPDX-License-Identifier: Apache-2.0

// Draws a picture of the documentation that shows what the default model finds, for `Scripts/refresh`:
// `draw-pictures NAME FILE`, in the package's root.

import Foundation
import YOLOFace

let pictures: [(name: String, draw: () throws -> RGBImage)] = [
  ("alignment", drawAlignment), ("angles", Signs.draw), ("cell", drawCell),
  ("glow", drawGlow),
  ("guidance", { try drawGuidance(x: 120, y: 143, radius: 95) }),
  ("guidance-outside", { try drawGuidance(x: 80, y: 110, radius: 70) }),
  ("hiding", drawHiding), ("limits", drawLimits), ("maps", drawMaps), ("pose", drawPose),
  ("quality", drawQuality),
  ("searching", drawSearching), ("selection", drawSelection), ("similarity", drawSimilarity),
  ("views", drawViews),
]

func fail(_ message: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("draw-pictures: \(message)\n".utf8))
  exit(status)
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let name = arguments.first, let file = arguments.last,
  let picture = pictures.first(where: { $0.name == name })
else {
  fail(
    "expected NAME FILE, of the names \(pictures.map(\.name).joined(separator: ", "))", status: 64)
}
do {
  try PNG.write(picture.draw(), to: file)
} catch {
  fail("\(name): \(error)", status: 1)
}
