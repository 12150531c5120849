// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceNCNN

@Suite struct WeightWriterTests {
  @Test func everyStorageRoundTripsByteForByte() throws {
    var network = try read([
      "Input i 0 1 a", "InnerProduct p 1 1 a b 0=1 1=1 2=3", "InnerProduct q 1 1 b c 0=1 2=2",
      "InnerProduct r 1 1 c d 0=1 2=1", "InnerProduct s 1 1 d e 0=1 2=5 8=1",
      "InnerProduct t 1 1 e f 0=1 2=2", "MemoryData m 0 1 g 0=1",
    ])
    var bytes = WeightReaderTests.half + .raw(1, 2, 3, 4, 5, 6, 0, 0) + .floats(.pi)
    bytes = bytes + .word(0) + .floats(-0.0, 1e6)
    bytes = bytes + WeightReaderTests.kept + .floats(.leastNonzeroMagnitude)
    bytes = bytes + WeightReaderTests.int8 + .raw(1, 2, 3, 4, 5, 0, 0, 0) + .floats(1, 2)
    bytes = bytes + .word(0x0102_0304)
    for index in 0..<256 { bytes = bytes + .word(UInt32(index) << 20) }
    bytes = bytes + .raw(9, 8, 0, 0) + .floats(7)
    try network.loadWeights(bytes.bytes, source: "test.bin")
    #expect(network.weightBytes() == bytes.bytes)
    let arrays = network.layers.flatMap(\.weights)
    #expect(arrays.reduce(0) { $0 + $1.byteCount } == bytes.bytes.count)
  }
}
