// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceFormatting
import YOLOFaceUntrusted
import YOLOFaceXML

/// Detections as PASCAL VOC's annotations, without a newline after the last line: an `object` called face for each, with
/// the corners of its box in pixels and, beyond what VOC has, its `score`.
func vocText(_ faces: [Face], of report: DetectionReport) -> String {
  let objects = faces.map { face in
    let corners = zip(
      ["xmin", "ymin", "xmax", "ymax"],
      [face.box.minX, face.box.minY, face.box.maxX, face.box.maxY]
    ).map { "<\($0)>\(fixed($1, decimals: 3))</\($0)>" }
    return """
        <object>
          <name>face</name>
          <difficult>0</difficult>
          <score>\(fixed(Double(face.score), decimals: 6))</score>
          <bndbox>\(corners.joined())</bndbox>
        </object>
      """
  }
  let path = UntrustedText(printable(report.image)).split(separator: UInt8(ascii: "/"))
  return """
    <annotation>
      <folder>\(xmlText(path.dropLast().last?.description ?? ""))</folder>
      <filename>\(xmlText(path.last?.description ?? ""))</filename>
      <size><width>\(report.width)</width><height>\(report.height)</height><depth>3</depth></size>
      <segmented>0</segmented>
    \((objects + [""]).joined(separator: "\n"))</annotation>
    """
}
