// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import YOLOFaceNCNN

@Suite struct HostileTests {
  @Test(arguments: HostileFile.all)
  func hostileFileIsRefused(_ file: HostileFile) throws {
    let path = Folder.hostile.appending(path: file.name).path
    let param = Folder.hostile.appending(path: file.param).path
    let error = try #require(
      refusal {
        let network =
          path == param ? try Network(param: param) : try Network(param: param, bin: path)
        try network.requireKnownLayers()
      })
    #expect(error.position == file.position && error.reason == file.reason)
    #expect(error.found.contains(file.found), "found: \(error.found)")
    #expect(error.expected.contains(file.expected), "expected: \(error.expected)")
    if case .byte = file.position { #expect(error.file == path) }
    if case .line = file.position { #expect(error.file == param) }
  }

  @Test func folderAndTableAgree() throws {
    let names = HostileFile.all.map(\.name)
    let partners = HostileFile.wrongWeights.map(\.param)
    let files = try FileManager.default.contentsOfDirectory(atPath: Folder.hostile.path)
    #expect(files.sorted() == (names + partners).sorted())
    #expect(names.count >= 50)
  }
}
