// SPDX-License-Identifier: Apache-2.0
import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The fuzzers' seeds and findings: none of them traps, and those accepted satisfy the checks of
/// `FuzzTargets`.
struct FuzzCorpusTests {
  private static let folder = SharedData.projectRoot.appending(path: "Fuzzing/Corpus")

  /// Writes the seeds.
  private static let made = Result {
    let python = try #require(Programs.path(ofAny: "python3"), "needs python3 on the path")
    let run = try Programs.run(URL(filePath: python), ["Fuzzing/make_corpus.py"])
    try #require(run.status == 0, "\(run.output)")
  }

  private static func files(_ fuzzer: String) throws -> [(name: String, bytes: [UInt8])] {
    try made.get()
    let folder = folder.appending(path: fuzzer)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      ($0, try [UInt8](Data(contentsOf: folder.appending(path: $0))))
    }
  }

  @Test(arguments: fuzzers.keys.sorted())
  func everyFileIsReadOrRefused(fuzzer: String) throws {
    let run = try #require(fuzzers[fuzzer])
    let files = try Self.files(fuzzer)
    #expect(files.count >= 5)
    for file in files { run(file.bytes) }
  }

  /// Truncated and concatenated files, as the fuzzers make them.
  @Test(arguments: fuzzers.keys.sorted())
  func truncatedAndMixedFilesAreReadOrRefused(fuzzer: String) throws {
    let run = try #require(fuzzers[fuzzer])
    let files = try Self.files(fuzzer)
    var random = SeededGenerator(seed: 11)
    for file in files where !file.bytes.isEmpty {
      for _ in 0..<20 {
        var bytes = Array(file.bytes.prefix(.random(in: 0...file.bytes.count, using: &random)))
        if let other = files.randomElement(using: &random), Bool.random(using: &random) {
          bytes += other.bytes.suffix(.random(in: 0...other.bytes.count, using: &random))
        }
        if let index = bytes.indices.randomElement(using: &random) {
          bytes[index] = .random(in: 0...255, using: &random)
        }
        run(bytes)
      }
    }
  }

  /// Files that fuzzers found against another decoder of PNG, also with correct checksums.
  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func hostilePicturesAreReadOrRefused() throws {
    let names = SharedData.names(in: "png/hostile")
    #expect(names.count > 600)
    for name in names { fuzzPicture(try SharedData.bytes("png/hostile/\(name)")) }
  }

  @Test func everyFuzzerHasACorpus() throws {
    try Self.made.get()
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(folders.sorted() == fuzzers.keys.sorted())
    #expect(try fuzzers.keys.flatMap(Self.files).reduce(0) { $0 + $1.bytes.count } < 300_000)
  }
}
