// Draws a picture of the documentation that shows what the default model finds, for `Scripts/refresh`:
// `draw-pictures NAME FILE`, in the package's root.

import YOLOFace

let pictures: [(name: String, draw: () throws -> RGBImage)] = [
  ("alignment", drawAlignment), ("cell", drawCell), ("guidance", drawGuidanceInside),
  ("guidance-outside", drawGuidanceOutside), ("limits", drawLimits), ("pose", drawPose),
  ("selection", drawSelection), ("similarity", drawSimilarity), ("views", drawViews),
]

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let name = arguments.first, let file = arguments.last,
  let picture = pictures.first(where: { $0.name == name })
else {
  fatalError("usage: draw-pictures \(pictures.map(\.name).joined(separator: "|")) FILE")
}
try PNG.write(picture.draw(), to: file)
