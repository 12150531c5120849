import YOLOFaceTool

/// The program `yoloface`.
@main
struct Main {
  static func main() { YOLOFaceCommand.main() }
}
