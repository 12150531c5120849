// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace
import YOLOFaceDecoding
import YOLOFaceFiles
import YOLOFaceReport

struct XMPSidecarTests {
  private static func sidecar(
    _ boxes: [Box], orientation: Orientation = .up
  ) throws -> XMPSidecar {
    try XMPSidecar(
      boxes.map { Face(score: 0.9, box: $0) }, storedSize: Size2D(width: 400, height: 200),
      orientation: orientation)
  }

  private let one = try! sidecar([Box(x: 0, y: 0, width: 40, height: 50)])

  /// A name as it stands in XML, in both forms; regions of this name are replaced, and those of no other.
  @Test func regionsMayHaveAName() throws {
    func named(_ name: String?) throws -> XMPSidecar {
      try XMPSidecar(
        [Face(score: 1, box: Box(x: 0, y: 0, width: 40, height: 50))],
        storedSize: Size2D(width: 400, height: 200), name: name)
    }
    let unknown = try named(#"A & <"B">"#)
    let written = text(unknown.bytes)
    #expect(written.contains("<mwg-rs:Name>A &amp; &lt;&quot;B&quot;&gt;</mwg-rs:Name>"))
    #expect(written.contains(#"MPReg:PersonDisplayName="A &amp; &lt;&quot;B&quot;&gt;"/>"#))
    #expect(try unknown.merged(into: unknown.bytes, source: "a.xmp") == unknown.bytes)
    for other in [nil, "A"] {
      #expect(throws: FileError.self) {
        try named(other).merged(into: unknown.bytes, source: "a.xmp")
      }
    }
  }

  private func merged(_ earlier: String) throws -> [UInt8] { try merged(Array(earlier.utf8)) }

  private func merged(_ earlier: [UInt8]) throws -> [UInt8] {
    try one.merged(into: earlier, source: "a.xmp")
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Boxes are clipped, and those outside left out. A picture that is turned by 90° clockwise to be upright: an upright
  /// box at the top left of 200 × 400 pixels is at the bottom left of the stored one.
  @Test(arguments: [
    (
      [Box(x: 100, y: 50, width: 40, height: 50)], Orientation.up,
      "0.250000, 0.250000, 0.100000, 0.250000"
    ),
    (
      [Box(x: 0, y: 0, width: 20, height: 40)], .right,
      "0.000000, 0.900000, 0.100000, 0.100000"
    ),
    (
      [
        Box(x: -10, y: 150, width: 50, height: 100),
        Box(x: 500, y: 0, width: 9, height: 9), Box(x: .nan, y: 0, width: 9, height: 9),
      ], .up, "0.000000, 0.750000, 0.100000, 0.250000"
    ),
  ])
  func regionsAreFractionsOfTheStoredPicture(
    boxes: [Box], orientation: Orientation, region: String
  ) throws {
    let parts = text(try Self.sidecar(boxes, orientation: orientation).bytes)
      .components(separatedBy: "MPReg:Box=")
    #expect(parts.count == 2 && parts[1].hasPrefix("\"\(region)\""))
  }

  @Test func regionsHaveTheirMiddlesToo() throws {
    let box = Box(x: 100, y: 50, width: 40, height: 50)
    let text = text(try Self.sidecar([box]).bytes)
    #expect(text.contains("stArea:x=\"0.300000\" stArea:y=\"0.375000\""))
    #expect(text.contains("stArea:w=\"0.100000\" stArea:h=\"0.250000\""))
    #expect(text.contains("stDim:w=\"400\" stDim:h=\"200\""))
  }

  /// A file of RDF, with the prefixes of all that regions are written in.
  private static func file(_ content: String) -> String {
    """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/"
      xmlns:p="http://ns.microsoft.com/photo/1.2/" xmlns:q="http://ns.microsoft.com/photo/1.2/t/Region#"
      xmlns:a="http://ns.adobe.com/xmp/sType/Area#">
    \(content)</rdf:RDF>
    """
  }

  private let foreign = """
    <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>
    <x:xmpmeta xmlns:x='adobe:ns:meta/'>
      <!-- <rdf:RDF> in a comment is none -->
      <r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
        <r:Description r:about='uuid:"1"' xmlns:dc='http://purl.org/dc/elements/1.1/' dc:format='image/png'>
          <dc:subject><r:Bag><r:li>Käse &amp; Brot</r:li></r:Bag></dc:subject>
        </r:Description>
      </r:RDF>
    </x:xmpmeta>
    """

  @Test func everythingElseStays() throws {
    var lines = text(try merged(foreign)).components(separatedBy: "\n")
    #expect(lines.contains { $0.contains("rdf:about=\"uuid:&quot;1&quot;\"") })
    let start = try #require(lines.firstIndex { $0.contains("<rdf:Description") })
    let end = try #require(lines.firstIndex { $0.contains("</rdf:Description>") })
    lines.removeSubrange(start...end)
    #expect(lines.joined(separator: "\n") == foreign)
  }

  @Test func regionsAreReplacedNotAdded() throws {
    let other = try Self.sidecar([Box(x: 9, y: 9, width: 40, height: 50)])
    let once = try merged(foreign)
    #expect(try merged(once) == once)
    let changed = try other.merged(into: once, source: "a.xmp")
    #expect(changed == (try other.merged(into: Array(foreign.utf8), source: "a.xmp")))
    #expect(try other.merged(into: one.bytes, source: "a.xmp") == other.bytes)
  }

  @Test func regionsBesideOtherPropertiesAreReplaced() throws {
    let regions = "<m:Regions rdf:parseType='Resource'><m:RegionList/></m:Regions>"
    let text = text(
      try merged(
        Self.file(
          "<rdf:Description><!-- checked -->\(regions)<m:Other>1</m:Other></rdf:Description>")))
    #expect(text.contains("<!-- checked -->") && text.contains("<m:Other>1</m:Other>"))
    #expect(!text.contains("m:Regions") && text.contains("<mwg-rs:Regions"))
  }

  private static func list(_ region: String) -> String {
    "<m:Regions><m:RegionList><rdf:Bag><rdf:li>\(region)</rdf:li></rdf:Bag></m:RegionList></m:Regions>"
  }

  /// Names are people's work, and are never thrown away; nor is a circle, a point, or what may be no face.
  @Test(arguments: [
    "<m:Regions rdf:parseType='Resource'><m:Name>Ada</m:Name></m:Regions>",
    "<m:Regions><rdf:Description m:Name='Ada'/></m:Regions>",
    "<p:RegionInfo><rdf:li q:PersonDisplayName='Ada'/></p:RegionInfo>",
    "<p:RegionInfo><rdf:li q:PersonEmailDigest='1F'/></p:RegionInfo>",
    "<m:Regions><rdf:li m:Type='Pet'/></m:Regions>",
    "<m:Regions><rdf:li><m:Type>BarCode</m:Type><m:BarCodeValue>1</m:BarCodeValue></rdf:li></m:Regions>",
    "<m:Regions><rdf:li><m:Extensions><rdf:li/></m:Extensions></rdf:li></m:Regions>",
    "<m:Regions><rdf:li>Ada</rdf:li></m:Regions>",
    "<m:Regions><rdf:li><m:Area a:x='1'>Ada</m:Area></rdf:li></m:Regions>",
    "<m:Regions><rdf:li/>Ada<rdf:li/></m:Regions>",
    "<m:Regions><rdf:li><!-- Ada --></rdf:li></m:Regions>",
    "<m:Regions><rdf:li><![CDATA[Ada]]></rdf:li></m:Regions>",
    "<m:Regions><m:Area a:x='Ada'/></m:Regions>", "<m:Regions><m:Area a:unit='Ada'/></m:Regions>",
    "<m:Regions rdf:about='Ada'/>", "<m:Regions note='Ada'/>",
    "<m:Regions><note>Ada</note></m:Regions>",
    "<p:RegionInfo><rdf:li q:Box='Ada'/></p:RegionInfo>",
    list("<m:Area a:x='0.5' a:y='0.5' a:w='0.1' a:h='0.1'/>"),
    list("<m:Area a:x='0.5' a:y='0.5' a:w='0.1' a:h='0.1'/>").replacing("rdf:li>", with: "rdf:_1>"),
    list("<m:Type>Face</m:Type><m:Area a:x='0.5' a:y='0.5' a:d='0.1'/>"),
    list("<m:Type>Face</m:Type><m:Area a:x='0.5' a:y='0.5'/>"),
    list(
      "<rdf:Description m:Type='Face'><m:Area><a:x>0.5</a:x><a:y>0.5</a:y></m:Area></rdf:Description>"
    ),
  ])
  func namedRegionsAreRefused(regions: String) throws {
    let error = #expect(throws: FileError.self) {
      try merged(Self.file("<rdf:Description>\(regions)</rdf:Description>"))
    }
    #expect(error?.path == "a.xmp:5")
  }

  /// What was merged can be read again, and another merge changes nothing: an empty description is opened, ours names
  /// the resource that one that stays does, and a quote and the accent after it are one `Character`.
  @Test(arguments: [
    ("/>", "</r:RDF>"),
    (
      """
      ><r:Description r:about="A"><m:Regions/></r:Description>
       <r:Description r:about="B" x:p="1"/>
      </r:RDF>
      """, "rdf:about=\"B\""
    ),
    ("><r:Description r:about='\"\u{301}'/></r:RDF>", "&quot;\u{301}"),
  ])
  func anotherMergeChangesNothing(rest: String, part: String) throws {
    let earlier = """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="urn:x"
        xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/"\(rest)
      """
    let merged = try merged(earlier)
    #expect(merged.firstRange(of: Array(part.utf8)) != nil)
    #expect(try self.merged(merged) == merged)
  }

  /// Our description takes six levels more.
  @Test func whatWasMergedCanBeReadAgain() throws {
    func nested(_ levels: Int) -> String {
      (0..<levels).reduce(Self.file("")) { text, _ in "<a>\(text)</a>" }
    }
    let merged = try merged(nested(57))
    #expect(try self.merged(merged) == merged)
    #expect(throws: FileError.self) { try self.merged(nested(58)) }
  }

  @Test func otherEncodingsAreRefused() {
    var latin = Array(foreign.utf8)
    latin.replace(Array("ä".utf8), with: [0xE4])
    #expect(throws: FileError.self) { try merged(latin) }
  }

  /// In a time that grows with the file alone.
  @Test(arguments: [(200_000, true), (300_000, false)])
  func manyElementsAreRead(count: Int, isRead: Bool) {
    let file = Self.file(String(repeating: "<a/>", count: count))
    #expect(((try? merged(file)) != nil) == isRead)
  }

  @Test(arguments: [
    "", "no xml", "<a/>", "<a></b>", "<a", "<a b>", "<a b=c/>", "<a b='c/>", "<a b='<'/>",
    "<a/><b/>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "<a><!-- ", "<a><?x", "<r:RDF/>", "<a>\0</a>", "<a/>x",
    "<a><![CDATA[</a>", String(repeating: "<a>", count: 100),
    file("<rdf:RDF/>"),
    "<a " + (0..<2000).map { "b\($0)='' " }.joined() + "/>",
  ])
  func hostileFilesAreRefused(file: String) throws {
    #expect(throws: FileError.self) { try merged(file) }
  }

  /// Whatever a byte becomes: an error, or a file in which the regions are replaced the next time.
  @Test func damagedFilesNeverTrap() throws {
    var numbers = SeededGenerator(seed: 5)
    let whole = try merged(foreign)
    var merges = 0
    for _ in 0..<3000 {
      var damaged = whole
      for _ in 0..<Int.random(in: 1...3, using: &numbers) {
        let place = Int.random(in: 0..<damaged.count, using: &numbers)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: damaged[place] = .random(in: 0...255, using: &numbers)
        case 1: damaged.remove(at: place)
        default: damaged.insert(damaged[.random(in: 0..<damaged.count, using: &numbers)], at: place)
        }
      }
      guard let merged = try? merged(damaged) else { continue }
      merges += 1
      #expect((try? self.merged(merged)) != nil)
    }
    #expect(merges > 100)
  }
}
