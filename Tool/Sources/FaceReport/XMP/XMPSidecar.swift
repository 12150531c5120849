// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceDecoding
import YOLOFaceFormatting
import YOLOFaceGeometry
import YOLOFaceUntrusted
import YOLOFaceXML

/// The faces of a picture as metadata that other programs read: an XMP file, kept beside the picture, with
/// face regions in the forms of the Metadata Working Group and of Microsoft.
///
/// (Metadata Working Group, "Guidelines for handling image metadata", 2.0, 5.9; Microsoft, "People tagging
/// overview"; XMP specification, part 1, https://www.iso.org/standard/75163.html)
public struct XMPSidecar {
  /// The property elements with the regions, which describe the picture.
  private let regions: String
  private let name: String?

  /// The regions of faces, which are in pixels of the upright picture, in the picture as it is stored. Boxes are clipped
  /// to it; those outside are left out.
  ///
  /// - Parameters:
  ///   - faces: in pixels of the upright picture.
  ///   - size: the stored picture's.
  ///   - orientation: how the stored picture is turned.
  ///   - name: that of each region, since some programs pass over those without; nil for none.
  /// - Throws: `ValueError` where the size is not that of a picture.
  public init(
    _ faces: [Face], storedSize size: Size2D, orientation: Orientation = .up, name: String? = nil
  ) throws {
    self.name = name
    let space = try ViewSpace(imageSize: size, orientation: orientation)
    let boxes = faces.map { space.unmap($0.box).clipped(to: size) }.filter { !$0.isDegenerate }
    func number(_ value: Double) -> String { fixed(value, decimals: 6) }
    func items(_ item: (Box) -> String) -> String {
      boxes.map { box in
        let share = Box(
          x: box.x / size.width, y: box.y / size.height, width: box.width / size.width,
          height: box.height / size.height)
        return item(share) + "\n"
      }.joined()
    }
    let written = name.map { xmlText($0, inQuotes: true) }
    let nameElement = written.map { "\n         <mwg-rs:Name>\($0)</mwg-rs:Name>" } ?? ""
    let nameAttribute = written.map { " MPReg:PersonDisplayName=\"\($0)\"" } ?? ""
    let areas = items { box in
      let center = box.center
      return """
              <rdf:li rdf:parseType="Resource">
               <mwg-rs:Type>Face</mwg-rs:Type>\(nameElement)
               <mwg-rs:Area stArea:x="\(number(center.x))" stArea:y="\(number(center.y))" \
        stArea:w="\(number(box.width))" stArea:h="\(number(box.height))" stArea:unit="normalized"/>
              </rdf:li>
        """
    }
    let rectangles = items { box in
      let numbers = [box.x, box.y, box.width, box.height].map(number).joined(separator: ", ")
      return "      <rdf:li MPReg:Box=\"\(numbers)\"\(nameAttribute)/>"
    }
    regions = """
         <mwg-rs:Regions rdf:parseType="Resource">
          <mwg-rs:AppliedToDimensions stDim:w="\(Int(size.width))" \
      stDim:h="\(Int(size.height))" stDim:unit="pixel"/>
          <mwg-rs:RegionList>
           <rdf:Bag>
      \(areas)     </rdf:Bag>
          </mwg-rs:RegionList>
         </mwg-rs:Regions>
         <MP:RegionInfo rdf:parseType="Resource">
          <MPRI:Regions>
           <rdf:Bag>
      \(rectangles)     </rdf:Bag>
          </MPRI:Regions>
         </MP:RegionInfo>

      """
  }

  /// A new file with these regions alone.
  public var bytes: [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="\(Namespace.rdf)">
      \(description(of: "")) </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>

      """.utf8)
  }

  /// An existing file with these regions in place of its own, if it is mergeable. Everything else stays, byte for byte.
  public func merged(into earlier: [UInt8], source: String) throws(FileError) -> [UInt8] {
    let document = try XMPDocument(earlier, source: source)
    try document.requirePlainRegions(named: name)
    return document.replacingRegions(with: Array(description(of: document.about).utf8))
  }

  /// Requires an existing file to be XMP in UTF-8 whose regions only say where faces are: more, such as a person's name
  /// or a comment, would be lost. The name that new regions get is none.
  public static func requireMergeable(
    _ earlier: [UInt8], named name: String? = nil, source: String
  ) throws(FileError) {
    try XMPDocument(earlier, source: source).requirePlainRegions(named: name)
  }

  /// Whether an existing file, which must be XMP in UTF-8, has regions already.
  public static func hasRegions(_ earlier: [UInt8], source: String) throws(FileError) -> Bool {
    try XMPDocument(earlier, source: source).hasRegions
  }

  private func description(of about: String) -> String {
    """
      <rdf:Description rdf:about="\(about)"
        xmlns:rdf="\(Namespace.rdf)"
        xmlns:mwg-rs="\(Namespace.regions)"
        xmlns:stDim="\(Namespace.dimensions)"
        xmlns:stArea="\(Namespace.area)"
        xmlns:MP="\(Namespace.microsoft)"
        xmlns:MPRI="\(Namespace.microsoftRegions)"
        xmlns:MPReg="\(Namespace.microsoftRegion)">
    \(regions)  </rdf:Description>

    """
  }
}

enum Namespace {
  static let rdf: StaticString = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  static let regions: StaticString = "http://www.metadataworkinggroup.com/schemas/regions/"
  static let dimensions: StaticString = "http://ns.adobe.com/xap/1.0/sType/Dimensions#"
  static let area: StaticString = "http://ns.adobe.com/xmp/sType/Area#"
  static let microsoft: StaticString = "http://ns.microsoft.com/photo/1.2/"
  static let microsoftRegions: StaticString = "http://ns.microsoft.com/photo/1.2/t/RegionInfo#"
  static let microsoftRegion: StaticString = "http://ns.microsoft.com/photo/1.2/t/Region#"
}
