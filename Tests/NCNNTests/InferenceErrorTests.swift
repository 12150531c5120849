import NCNN
import TestSupport
import Testing

struct InferenceErrorTests {
  /// A few thousand inputs with names of 255 bytes.
  @Test func truncatesTextFromHostileFiles() throws {
    let names = (0..<3000).map { "\($0)" + String(repeating: "x", count: 240) }
    let interpreter = try Interpreter(Network(names.map { "Input \($0) 0 1 \($0)" }))
    let input = try Tensor(shape: [1], values: [0])
    let error = try #require(throws: InferenceError.self) {
      try interpreter.run(["other": input], extracting: [names[0]])
    }
    #expect(error.expected.hasPrefix("inputs named 0xxx") && error.expected.hasSuffix("more"))
    #expect(error.description.utf8.count < 9000)
  }
}
