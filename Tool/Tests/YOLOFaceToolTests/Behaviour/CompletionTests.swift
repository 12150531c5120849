// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Testing

@testable import YOLOFaceTool

/// What the shell offers for the value of an option; `Scripts/check-package` asks the shells themselves.
struct CompletionTests {
  /// What the help calls a value that is no file's name.
  private let otherValues: Set = [
    "bytes", "error", "factor", "fraction", "frames", "good-frames", "id", "iou-threshold",
    "iterations", "long-side", "mebibytes", "name", "names", "number", "pattern", "pixels",
    "quality", "repetitions", "score-threshold", "seconds", "size", "subcommands", "threads",
    "x,y,radius", "x,y,width,height",
    // Shells complete no part of a word.
    "name=npy",
  ]

  @Test func offersFilesAndChoices() throws {
    let dump = Data(YOLOFaceCommand._dumpHelp().utf8)
    let values = try JSONDecoder().decode(Dump.self, from: dump).command.values
    #expect(values.count > 150)
    for (name, value) in values where value.completionKind == nil {
      #expect(value.allValues == nil, "\(name): its values are not offered")
      #expect(otherValues.contains(value.valueName), "\(name) takes a file; it needs completion:")
    }
  }
}

/// Of `--experimental-dump-help`, what is tested here.
private struct Dump: Decodable {
  struct Command: Decodable {
    var commandName: String
    var arguments: [Argument]?
    var subcommands: [Command]?

    /// The arguments that take a value, here and below.
    var values: [(name: String, value: Argument)] {
      (arguments ?? []).filter { $0.kind != "flag" }.map { ("\(commandName) \($0.valueName)", $0) }
        + (subcommands ?? []).flatMap(\.values)
    }
  }

  struct Argument: Decodable {
    struct Completion: Decodable {}

    var kind, valueName: String
    var allValues: [String]?
    var completionKind: Completion?
  }

  var command: Command
}
