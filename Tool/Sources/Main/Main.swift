// SPDX-License-Identifier: Apache-2.0
import YOLOFaceTool

/// The program `yoloface`.
@main
struct Main {
  static func main() { YOLOFaceCommand.main() }
}
