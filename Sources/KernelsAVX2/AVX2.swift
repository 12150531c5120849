#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import Kernels

  /// AVX2 and FMA: eight lanes, 16 registers, fused multiply-add.
  enum AVX2: InstructionSet {
    typealias Vector = SIMD8<Float>
    typealias WidePair = Twice<Twice<Pair<Vector>>>
    typealias WideSingle = Twice<Twice<Twice<Single<Vector>>>>

    @inline(__always)
    static func minimum(_ a: Vector, _ b: Vector) -> Vector { _mm256_min_ps(a, b) }
    @inline(__always)
    static func maximum(_ a: Vector, _ b: Vector) -> Vector { _mm256_max_ps(a, b) }
  }

  extension KernelTable {
    /// The kernels for AVX2.
    public static let avx2 = KernelTable(
      name: "avx2", lanes: AVX2.lanes,
      convolveSingle: { AVX2.convolveSingle($0) },
      convolvePair: { AVX2.convolvePair($0) },
      depthwise: { AVX2.depthwise($0) },
      maximumPooling: {
        AVX2.maximumPooling(
          rows: $0, inputColumns: $1, kernelColumns: $2, stride: $3, padLeft: $4, output: $5,
          outputColumns: $6)
      },
      convertBytes: { AVX2.convertBytes($0, count: $1, output: $2) },
      gatherPixels: { AVX2.gatherPixels($0, columns: $1, output: $2) },
      activate: { AVX2.activate($0, pixels: $1, $2, output: $3) },
      winogradInput: {
        AVX2.winogradInput($0, $1, rowStride: $2, tiles: $3, output: $4, positionStride: $5)
      },
      winogradOutput: {
        AVX2.winogradOutput(
          $0, $1, positionStride: $2, bias: $3, activation: $4, output: $5, rows: $6, columns: $7)
      },
      add: { AVX2.add($0, $1, pixels: $2, output: $3) })
  }
#endif
