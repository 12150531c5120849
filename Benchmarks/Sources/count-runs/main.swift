// SPDX-License-Identifier: Apache-2.0
import YOLOFaceInference
import YOLOFaceNCNN

// count-runs PARAM BIN RUNS THREADS: runs the network RUNS times, for Benchmarks/allocations.

let arguments = CommandLine.arguments
guard arguments.count == 5, let runs = Int(arguments[3]), runs >= 1,
  let threads = Int(arguments[4]), (1...256).contains(threads)
else {
  fatalError("usage: count-runs PARAM BIN RUNS THREADS")
}

let (rows, columns) = (480, 640)
let picture = (0..<rows * columns * 3).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
let heads = [8, 16, 32].map {
  GatedOutput(blob: "out_\($0)", groups: 3, width: 16, gate: 4)
}
// Low enough that some cells are visited, whose values are computed one by one.
let minimumObjectness: Float = -9

let engine = try Engine(
  Network(param: arguments[1], bin: arguments[2]), gated: heads,
  normalization: Normalization(divisor: 255), threads: threads)
var cells = 0
for _ in 0..<runs {
  try engine.run(picture: picture, rows: rows, columns: columns) { outputs in
    for number in heads.indices {
      outputs.forEachGroup(of: number, from: minimumObjectness) { _, _, _ in cells += 1 }
    }
  }.get()
}
guard cells > 0 else { fatalError("no cell was visited") }
