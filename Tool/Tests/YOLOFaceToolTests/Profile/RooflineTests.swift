// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFace

@testable import YOLOFaceTool

struct RooflineTests {
  private let roofline = Roofline(
    peak: 100,
    bandwidths: [
      Roofline.Bandwidth(bytes: 1000, gigabytesPerSecond: 50),
      Roofline.Bandwidth(bytes: 1_000_000, gigabytesPerSecond: 10),
    ])

  @Test(arguments: [(0, 50), (1000, 50), (1001, 10), (1_000_001, 10)] as [(Int, Double)])
  func takesTheSmallestCopyThatMovesAsMuch(bytes: Int, speed: Double) {
    #expect(roofline.gigabytesPerSecond(forBytes: bytes) == speed)
  }

  @Test(arguments: 1...2)
  func measures(threads: Int) throws {
    let measured = Roofline(of: try FaceDetector(threads: threads).engine, processors: 2)
    #expect(measured.peak > 0.1)
    #expect(measured.bandwidths.map(\.bytes) == measured.bandwidths.map(\.bytes).sorted())
    // Every processor copies at least a hundred megabytes a second, none ten terabytes.
    for bandwidth in measured.bandwidths {
      #expect((0.1...10_000).contains(bandwidth.gigabytesPerSecond))
    }
  }

  /// Many more threads than processors reach no more, up to what other work on the machine takes.
  @Test func moreThreadsThanProcessorsReachNoMore() throws {
    let one = Roofline(of: try FaceDetector(threads: 1).engine, processors: 1).peak
    let many = Roofline(of: try FaceDetector(threads: 32).engine, processors: 1).peak
    #expect(many < 10 * one)
  }

  /// 2 · 10⁶ operations at 10¹¹ a second; 10⁵ bytes at 10¹⁰ a second. Products are rounded.
  @Test func dividesByPeakAndBandwidth() {
    #expect(abs(roofline.arithmeticTime(multiplyAdds: 1_000_000) - 20e-6) < 1e-15)
    #expect(abs(roofline.memoryTime(bytes: 100_000) - 10e-6) < 1e-15)
  }
}
