// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceReport

/// Interprets bytes as an XMP sidecar to which a picture's faces are added.
public func fuzzSidecar(_ bytes: [UInt8]) {
  _ = try? XMPSidecar.hasRegions(bytes, source: "fuzz.xmp")
  let face = Face(score: 1, box: Box(x: 40, y: 30, width: 20, height: 25))
  guard
    let sidecar = try? XMPSidecar([face], storedSize: Size2D(width: 160, height: 120)),
    let merged = try? sidecar.merged(into: bytes, source: "fuzz.xmp")
  else { return }
  guard let again = try? sidecar.merged(into: merged, source: "fuzz.xmp") else {
    preconditionFailure("the sidecar that was written cannot be read")
  }
  precondition(again == merged, "the same faces change the sidecar")
  precondition(
    (try? XMPSidecar.hasRegions(merged, source: "fuzz.xmp")) == true, "the faces are missing")
}
