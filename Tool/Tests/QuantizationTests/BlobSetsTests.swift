// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceNCNN
import YOLOFaceQuantization

struct BlobSetsTests {
  /// A unit with a half that passes through: everything between the Swishes is one set, but not what
  /// the convolution makes, nor averages and bilinear pixels, which are new numbers.
  @Test func joinsWhatOnlyMoves() throws {
    let network = try network(
      """
      Input data 0 1 data
      Swish s 1 1 data s
      Slice slice 1 2 s kept worked -23300=2,2,-233
      Convolution c 1 1 worked c 0=2 1=1 6=4
      Swish cs 1 1 c cs
      Concat cat 2 1 kept cs cat
      ShuffleChannel shuffle 1 1 cat shuffle 0=2
      Split split 1 5 shuffle one two three four none
      Interp up 1 1 one up 0=1 1=2.0 2=2.0
      Pooling max 1 1 two max 0=0 1=2 2=2
      Pooling mean 1 1 three mean 0=1 1=2 2=2
      Interp mixed 1 1 four mixed 0=2 1=2.0 2=2.0
      Concat alone 1 1 mixed alone
      Noop end 1 0 none
      """, weights: [[0, 1, 0, 0, 1]])
    let sets = BlobSets(network)
    for blob in ["kept", "worked", "cs", "cat", "shuffle", "one", "none", "up", "max"] {
      #expect(sets[blob] == sets["s"], "\(blob)")
    }
    #expect(Set(["data", "s", "c", "mean", "mixed"].map { sets[$0] }).count == 5)
    #expect(sets["alone"] == sets["mixed"])
    #expect(sets["nothing"] == nil)
    let joined = try #require(sets["s"])
    #expect(sets.sources[joined] == ["s", "cs"])
  }

  /// A second walks such a chain once, not once for each of its blobs.
  @Test func joinsALongChain() throws {
    let count = 100_000
    let lines = (1...count).map { "Split l\($0) 1 1 \($0 - 1) \($0)" }
    let network = try network((["Input data 0 1 0"] + lines).joined(separator: "\n"))
    let time = processorTime { #expect(BlobSets(network).sources == [["0"]]) }
    #expect(time < generousProcessorTime)
  }
}
