import Kernels

/// What every processor of the architecture has: SSE2 on x86-64, NEON on arm64; four lanes.
enum Baseline: InstructionSet {
  typealias Vector = SIMD4<Float>
  #if arch(arm64)
    typealias WidePair = Thrice<Twice<Twice<Pair<Vector>>>>
    typealias WideSingle = Thrice<Twice<Twice<Single<Vector>>>>
  #else
    typealias WidePair = Thrice<Twice<Pair<Vector>>>
    typealias WideSingle = Thrice<Twice<Twice<Single<Vector>>>>

    /// SSE2 has no fused multiply-add; the fused operator would call a function per lane.
    @inline(__always)
    static func addProduct(_ sum: Vector, _ a: Vector, _ b: Vector) -> Vector { sum + a * b }
  #endif
}

extension KernelTable {
  /// The kernels for every processor of this architecture.
  public static let baseline = KernelTable(
    name: "baseline", lanes: Baseline.lanes,
    convolveSingle: { Baseline.convolveSingle($0) },
    convolvePair: { Baseline.convolvePair($0) },
    depthwise: { Baseline.depthwise($0) },
    maximumPooling: {
      Baseline.maximumPooling(
        rows: $0, inputColumns: $1, kernelColumns: $2, stride: $3, padLeft: $4, output: $5,
        outputColumns: $6)
    },
    convertBytes: { Baseline.convertBytes($0, count: $1, output: $2) },
    gatherPixels: { Baseline.gatherPixels($0, columns: $1, output: $2) },
    activate: { Baseline.activate($0, pixels: $1, $2, output: $3) },
    winogradInput: {
      Baseline.winogradInput($0, $1, rowStride: $2, tiles: $3, output: $4, positionStride: $5)
    },
    winogradOutput: {
      Baseline.winogradOutput(
        $0, $1, positionStride: $2, bias: $3, activation: $4, output: $5, rows: $6, columns: $7)
    },
    add: { Baseline.add($0, $1, pixels: $2, output: $3) })
}
