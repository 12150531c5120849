import NCNN
import Quantisation
import TestSupport
import Testing

struct BlobSetsTests {
  /// A unit with a half that passes through: everything between the Swishes is one set, but not what
  /// the convolution makes, nor what the average is of.
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
      Split split 1 3 shuffle one two three
      Interp up 1 1 one up 0=1 1=2.0 2=2.0
      Pooling max 1 1 two max 0=0 1=2 2=2
      Pooling mean 1 1 three mean 0=1 1=2 2=2
      """, weights: [[0, 1, 0, 0, 1]])
    let sets = BlobSets(network)
    for blob in ["kept", "worked", "cs", "cat", "shuffle", "one", "three", "up", "max"] {
      #expect(sets[blob] == sets["s"], "\(blob)")
    }
    #expect(Set(["data", "s", "c", "mean"].map { sets[$0] }).count == 4)
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

  /// Bilinear pixels and averages are new numbers.
  @Test func joinsNoMixtures() throws {
    let network = try network(
      """
      Input data 0 1 data
      Split split 1 2 data one two
      Noop none 1 0 one
      Interp up 1 1 two up 0=2 1=2.0 2=2.0
      Concat cat 1 1 up cat
      """)
    let sets = BlobSets(network)
    #expect(sets["data"] != sets["up"])
    #expect(sets["cat"] == sets["up"])
  }
}
