// SPDX-License-Identifier: Apache-2.0
import YOLOFaceFormatting
@_spi(Tool) import YOLOFaceInference

extension MemoryPlan {
  var text: String {
    let stepRows = steps.enumerated().map { number, step in
      ["\(number)", printable(step.name), step.kind, "\(step.liveBytes)"]
    }
    let blockRows = blocks.map { block in
      [
        "\(block.offset)", "\(block.bytes)", "\(block.firstStep)",
        block.outlivesRun ? "end" : "\(block.lastStep)", printable(block.writtenBy), block.kind,
      ]
    }
    return """
      \(table([["step", "name", "kind", "live bytes"]] + stepRows))

      \(table([["offset", "bytes", "first step", "last step", "written by", "kind"]] + blockRows))

      \(counted(steps.count, "step")), \(counted(blocks.count, "block")), instruction set \(instructionSet)
      arena: \(arenaBytes) bytes; without sharing: \(unsharedBytes) bytes
      \(peak)
      also: weights \(weightBytes) bytes, scratch memory \(scratchBytes) bytes for each thread, \
      other blobs \(tensorBytes) bytes
      """
  }

  private var peak: String {
    guard let step = steps.firstIndex(where: { $0.liveBytes == peakBytes }) else {
      return "nothing to run"
    }
    return
      "at most \(peakBytes) bytes live at once, first in step \(step), \(printable(steps[step].name))"
  }
}
