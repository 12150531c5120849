// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels

#if arch(wasm32)
  import WASMIntrinsics
#endif

/// What every processor of the architecture has: SSE2 on x86-64, NEON on arm64; four lanes.
enum Baseline: InstructionSet {
  typealias Vector = SIMD4<Float>
  #if arch(arm64)
    typealias WidePair = Thrice<Twice<Twice<Pair<Vector>>>>
    typealias WideSingle = Thrice<Twice<Twice<Single<Vector>>>>
  #else
    #if arch(wasm32)
      typealias WidePair = Twice<Twice<Pair<Vector>>>
    #else
      typealias WidePair = Thrice<Twice<Pair<Vector>>>
    #endif
    typealias WideSingle = Thrice<Twice<Twice<Single<Vector>>>>

    static var fusesMultiplyAdd: Bool { false }
    static var activatesTiles: Bool { false }

    // SSE2 has no fused multiply-add; the fused operator would call a function per lane.
    @inline(__always)
    static func addProduct(_ sum: Vector, _ a: Vector, _ b: Vector) -> Vector { sum + a * b }
  #endif

  #if arch(wasm32)
    // Comparisons of vectors become loops over their lanes otherwise.
    @inline(__always)
    static func minimum(_ a: Vector, _ b: Vector) -> Vector {
      cast(wasm_f32x4_pmin(cast(a), cast(b)))
    }

    @inline(__always)
    static func maximum(_ a: Vector, _ b: Vector) -> Vector {
      cast(wasm_f32x4_pmax(cast(a), cast(b)))
    }
  #endif
}

extension KernelTable {
  /// The kernels for every processor of this architecture.
  package static let baseline = KernelTable(Baseline.self, name: "baseline", bytes: .baseline)
}
