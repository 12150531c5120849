import Foundation
import Testing

struct InspectTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  @Test func describesTheDefaultModel() throws {
    let run = try tool.run("inspect", Tool.model("param"), Tool.model("bin"), "--size", "64x96")
    #expect(run.status == 0)
    #expect(run.output.contains("224 layers"))
    #expect(run.output.contains("outputs out_8, out_16, out_32"))
    // 3 × 3 × 3 × 16 weights and 16 biases; 432 products for each of 32 × 48 pixels.
    let stem = try #require(
      run.output.split(separator: "\n").first { $0.contains(" stem_c1 ") })
    let words = stem.split(separator: " ").map { String($0) }
    #expect(words == ["4", "Convolution", "stem_c1", "16x48x32", "448", "663552"])
    #expect(run.output.contains("all layers supported"))
  }

  @Test func listsUnknownKinds() throws {
    let param = "7767517\n3 3\nInput a 0 1 a\nGRU b 1 1 a b\nLSTM c 1 1 b c\n"
    try Data(param.utf8).write(to: tool.directory.appending(path: "m.param"))
    let run = try tool.run("inspect", "m.param")
    #expect(run.status == 1)
    #expect(run.output.contains("line 4: GRU b is of an unknown kind"))
    #expect(run.output.contains("line 5: LSTM c is of an unknown kind"))
  }
}
