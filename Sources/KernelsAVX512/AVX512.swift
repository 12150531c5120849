#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import Kernels

  /// AVX-512 F, VL, BW, DQ: sixteen lanes, 32 registers, fused multiply-add.
  enum AVX512: InstructionSet {
    typealias Vector = SIMD16<Float>
    typealias WidePair = Thrice<Twice<Twice<Pair<Vector>>>>
    typealias WideSingle = Thrice<Twice<Twice<Single<Vector>>>>

    @inline(__always)
    static func minimum(_ a: Vector, _ b: Vector) -> Vector { _mm512_min_ps(a, b) }
    @inline(__always)
    static func maximum(_ a: Vector, _ b: Vector) -> Vector { _mm512_max_ps(a, b) }

    /// An estimate of 14 bits and a step of Newton's method.
    @inline(__always)
    static func reciprocal(_ x: Vector) -> Vector {
      let estimate = _mm512_rcp14_ps(x)
      let error = Vector(repeating: 2).addingProduct(-x, estimate)
      return estimate * error
    }

    @inline(__always)
    static func exponential2(_ t: Vector) -> Vector {
      let shifter = Vector(repeating: 12_582_912)
      let whole = (t + shifter) - shifter
      return _mm512_scalef_ps(powerOf2(t - whole), whole)
    }
  }

  extension KernelTable {
    /// The kernels for AVX-512.
    public static let avx512 = KernelTable(
      name: "avx512", lanes: AVX512.lanes,
      convolveSingle: { AVX512.convolveSingle($0) },
      convolvePair: { AVX512.convolvePair($0) },
      depthwise: { AVX512.depthwise($0) },
      maximumPooling: {
        AVX512.maximumPooling(
          rows: $0, inputColumns: $1, kernelColumns: $2, stride: $3, padLeft: $4, output: $5,
          outputColumns: $6)
      },
      gatherPixels: { AVX512.gatherPixels($0, columns: $1, output: $2) },
      activate: { AVX512.activate($0, pixels: $1, $2, output: $3) },
      add: { AVX512.add($0, $1, pixels: $2, output: $3) })
  }
#endif
