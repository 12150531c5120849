// SPDX-License-Identifier: Apache-2.0
import YOLOFaceFileSystem
import YOLOFaceUntrusted

/// What to do about an argument that names no file but something that only ffmpeg reads: an address, a camera or a list
/// of films; nil for any other.
func remedyForNoFile(_ argument: String) -> String? {
  if isAddress(argument), !fileExists(argument) {
    let path = UntrustedText(argument).dropping("file://")
    return path.map { "\(argument): found an address, expected a path; give \($0)" }
      ?? "\(argument): found an address, expected a file; nothing is read from a network: save it first, or let "
      + "ffmpeg read it: \(piping("-i '\(argument)'"))"
  }
  if let camera = camera(argument) {
    return "\(argument): found a camera, expected a file; let ffmpeg read it: "
      + piping("-f v4l2 -i \(camera)")
  }
  guard suffix(of: argument, among: [".m3u8", ".m3u", ".mpd", ".sdp"]) != nil,
    !isDirectory(argument)
  else { return nil }
  return "\(argument): found a list of films, expected a film; let ffmpeg read it: "
    + piping("-i '\(argument)'")
}

/// Whether an argument begins as an address does: with letters, a colon and two slashes (RFC 3986, 3).
func isAddress(_ argument: String) -> Bool {
  guard let (scheme, rest) = UntrustedText(argument).cut(at: UInt8(ascii: ":")) else {
    return false
  }
  let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
  return !scheme.isEmpty && rest.starts(with: "//")
    && scheme.allSatisfy { letters.contains($0 | 0x20) || (0x2B...0x39).contains($0) }
}

/// The path of a camera, as Linux has it, also from its number alone, as other programs take it; nil for none.
private func camera(_ argument: String) -> String? {
  let text = UntrustedText(argument)
  if text.starts(with: "/dev/video") { return argument }
  guard let number = text.integer(UInt8.self), !fileExists(argument) else { return nil }
  return "/dev/video\(number)"
}

private func piping(_ input: String) -> String {
  "ffmpeg \(input) -f rawvideo -pix_fmt bgra - | yoloface track --raw 1280x720, or anonymise"
}
