import NCNN
import TestSupport
import Testing

@testable import Inference

struct RooflineTests {
  private let network: Network

  init() throws {
    var random = SeededGenerator(seed: 1)
    network = try Network(
      layers: ["Convolution c 1 1 data out 0=16 1=1 5=1 6=256"], random: &random)
  }

  private func step(multiplyAdds: Int64, bytes: Int) throws -> StepTime {
    let times = try Engine(network).runLayers(["data": Tensor([16, 2, 2])], repetitions: 1) {
      _, _ in
    }
    var step = try #require(times.first { $0.name == "c" })
    step.multiplyAdds = multiplyAdds
    step.bytes = bytes
    return step
  }

  private let roofline = Roofline(
    peak: 100,
    bandwidths: [
      Roofline.Bandwidth(bytes: 1000, gigabytesPerSecond: 50),
      Roofline.Bandwidth(bytes: 1_000_000, gigabytesPerSecond: 10),
    ])

  @Test func takesTheSmallestCopyThatMovesAsMuch() {
    #expect(roofline.gigabytesPerSecond(forBytes: 0) == 50)
    #expect(roofline.gigabytesPerSecond(forBytes: 1000) == 50)
    #expect(roofline.gigabytesPerSecond(forBytes: 1001) == 10)
    #expect(roofline.gigabytesPerSecond(forBytes: 1_000_001) == 10)
  }

  @Test func dividesByPeakAndBandwidth() throws {
    // 2 · 10⁶ operations at 10¹¹ a second; 10⁵ bytes at 10¹⁰ a second. Products are rounded.
    let step = try step(multiplyAdds: 1_000_000, bytes: 100_000)
    #expect(abs(roofline.arithmeticTime(of: step) - 20e-6) < 1e-15)
    #expect(abs(roofline.memoryTime(of: step) - 10e-6) < 1e-15)
  }

  @Test(arguments: 1...2)
  func measures(threads: Int) throws {
    let engine = try Engine(network, threads: threads)
    let measured = Roofline(of: engine, processors: 2)
    #expect(measured.peak > 0.1)
    #expect(measured.bandwidths.map(\.bytes) == measured.bandwidths.map(\.bytes).sorted())
    // Every processor copies at least a hundred megabytes a second, none ten terabytes.
    for bandwidth in measured.bandwidths {
      #expect((0.1...10_000).contains(bandwidth.gigabytesPerSecond))
    }
  }

  /// Many times as many threads reach no more, but for other work on the machine.
  @Test func moreThreadsThanProcessorsReachNoMore() throws {
    let one = Roofline(of: try Engine(network, threads: 1), processors: 1).peak
    let many = Roofline(of: try Engine(network, threads: 32), processors: 1).peak
    #expect(many < 10 * one)
  }
}
