import Formatting

extension ProfileReport {
  /// Tables of the stages and steps, below the settings and what the machine allows.
  var text: String {
    let name = image.map(printable) ?? "a generated picture"
    let speeds = bandwidths.map { bandwidth in
      "\(fixed(bandwidth.gigabytesPerSecond, decimals: 1)) in \(binarySize(bandwidth.bytes))"
    }
    var text = """
      \(machine), \(precision.rawValue), \(instructionSet), \(counted(threads, "thread"))
      \(printable(model)) on \(name), \(width) × \(height), input \(inputWidth) × \(inputHeight); \
      the median run of \(repetitions)
      peak \(fixed(peakGigaflops, decimals: 1)) GFLOP/s; a copy moves \
      \(speeds.joined(separator: ", ")) GB/s

      \(stageTable)
      The stages are \(fixed(100 * sum / whole, decimals: 2)) % of the whole, which takes \
      \(fixed(untimed, decimals: 1)) µs when no step is timed.

      \(stepTable(steps))
      """
    if let layers {
      let unfused = layers.reduce(0) { $0 + $1.medianMicroseconds }
      let fused = steps.reduce(0) { $0 + $1.medianMicroseconds }
      text += """


        When nothing is fused, \(counted(layers.count, "step")) of \(fixed(unfused, decimals: 1)) µs in total \
        instead of \(steps.count) of \(fixed(fused, decimals: 1)) µs, as sums of medians:

        \(stepTable(layers))
        """
    }
    return text
  }

  private var stageTable: String {
    var rows = [["stage", "µs", "share %", "median µs"]]
    for stage in stages {
      rows.append([
        stage.name, fixed(stage.microseconds, decimals: 1),
        percent(stage.share), fixed(stage.medianMicroseconds, decimals: 1),
      ])
    }
    rows.append(["sum", fixed(sum, decimals: 1), percent(sum / whole), ""])
    rows.append(["whole", fixed(whole, decimals: 1), "100.0", ""])
    return table(rows)
  }

  private func stepTable(_ steps: [Step]) -> String {
    var columns: [(title: String, text: (Step) -> String)] = [
      ("step", { $0.name }), ("kind", { $0.kind }), ("shape", { $0.shape }),
      ("layers", { "\($0.layers.count)" }), ("multiply-adds", { "\($0.multiplyAdds)" }),
      ("µs", { fixed($0.microseconds, decimals: 1) }),
      ("share %", { percent($0.share) }),
      ("median µs", { fixed($0.medianMicroseconds, decimals: 1) }),
      ("GFLOP/s", { text($0.gigaflops) }), ("peak %", { percent($0.shareOfPeak) }),
      ("kB", { fixed(Double($0.bytes) / 1000, decimals: 1) }),
      ("FLOP/B", { text($0.operationsPerByte) }),
      ("bound by", { $0.isMemoryBound ? "memory" : "arithmetic" }),
      ("roof %", { percent($0.shareOfRoof) }),
    ]
    if steps.contains(where: { $0.unfusedMicroseconds != nil }) {
      columns.append(("unfused µs", { text($0.unfusedMicroseconds) }))
    }
    return table([columns.map(\.title)] + steps.map { step in columns.map { $0.text(step) } })
  }

  private func text(_ number: Double?) -> String { number.map { fixed($0, decimals: 1) } ?? "" }

  private func percent(_ share: Double?) -> String { text(share.map { 100 * $0 }) }
}
