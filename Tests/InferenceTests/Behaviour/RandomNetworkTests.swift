// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceKernels

@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

/// Every kernel in every available instruction set against the interpreter, on random shapes, most
/// of them no multiple of the vector width.
struct RandomNetworkTests {
  /// A network of a few layers of a kernel's kind, and the shape of its input.
  typealias Candidate = (layers: [String], input: [Int])

  /// Kinds of candidates, and the steps that each must exercise: otherwise the planner could give a layer to
  /// another kernel, and leave this one untested.
  static let kinds = [
    ("pointwise", ["convolution 1x1"]),
    ("window", ["convolution 2x2", "convolution 3x3", "convolution 4x4"]),
    ("strided", ["convolution 2x2", "convolution 3x3", "convolution 4x4"]),
    ("depthwise", ["depthwise"]), ("depthwise + pointwise", ["depthwise + 1x1"]),
    ("pointwise + strided", ["1x1 + 3x3"]), ("first convolution", ["first convolution"]),
    ("pooling", ["pooling"]), ("nearest", ["nearest"]), ("activation", ["activation"]),
    ("sum", ["Winograd 3x3", "element-wise"]),
    ("movement", ["Winograd 3x3", "convolution 3x3"]), ("siblings", ["convolution 1x1"]),
    ("groups", ["convolution 3x3", "Winograd 3x3"]), ("one axis", ["plain layer"]),
    ("strided Winograd", ["Winograd 3x3"]), ("upsampled", ["1x1 of upsampled"]),
    ("repeated", ["depthwise"]),
  ]

  @Test(arguments: kinds)
  func agreesWithTheInterpreter(name: String, steps: [String]) throws {
    let number = Self.kinds.firstIndex { $0.0 == name } ?? 0
    var random = SeededGenerator(seed: UInt64(number) + 1)
    var rounds: [String: Int] = [:]
    for round in 0..<Rounds.few(50, of: 200) {
      let candidate = candidate(name, &random)
      let network = try Network(layers: candidate.layers, random: &random)
      let input = try Tensor(shape: candidate.input, random: &random)
      // Sums of at most 1000 products near 1/√1000 in another order, and an exponential with an
      // error of 4e-6. Some windows are larger than the blob with its border.
      try requireAgreement(
        network, ["data": input], threads: 1 + round % 2, within: 2e-5,
        "\(candidate.layers) of \(candidate.input), round \(round)"
      ) { engine in
        for step in engine.stepNames {
          rounds["\(step) by \(engine.instructionSet)", default: 0] += 1
        }
      }
    }
    let least = Rounds.areAll ? 30 : 5
    for step in steps {
      for kernels in KernelTable.available {
        #expect(rounds["\(step) by \(kernels.name)", default: 0] >= least, "\(step)")
      }
    }
  }

  // The parameters follow ncnn's page "operators".
  private func candidate(_ kind: String, _ random: inout SeededGenerator) -> Candidate {
    let channels = [1, 3, 5, 8, 12, 15, 16, 17, 20, 32, 33, 48][random.integer(0...11)]
    let outputs = [1, 2, 4, 7, 8, 15, 16, 24, 31, 32, 40, 48][random.integer(0...11)]
    let input = [channels, random.integer(1...19), random.integer(1...31)]
    let activation = ["", " 9=1", " 9=2 -23310=1,0.1", " 9=4"][random.integer(0...3)]
    func convolution(
      _ name: String, _ blobs: String, _ from: Int, _ to: Int, kernel: Int = 1, stride: Int = 1,
      _ extra: String = "", group: Int = 1
    ) -> String {
      let count = to * from / group * kernel * kernel
      let layer = group == 1 ? "Convolution" : "ConvolutionDepthWise"
      return "\(layer) \(name) 1 1 \(blobs) 0=\(to) 1=\(kernel) 3=\(stride) 5=1 6=\(count)"
        + (group == 1 ? "" : " 7=\(group)") + extra
    }
    func candidate(_ layers: String..., input other: [Int]? = nil) -> Candidate {
      (layers, other ?? input)
    }
    switch kind {
    case "pointwise":
      return candidate(convolution("c", "data out", channels, outputs, activation))
    case "window", "strided":
      let border = [" 4=-233", " 4=-234", " 4=\(random.integer(0...3))"][random.integer(0...2)]
      return candidate(
        convolution(
          "c", "data out", channels, outputs, kernel: random.integer(1...4),
          stride: kind == "strided" ? random.integer(2...3) : 1,
          border + " 2=\(random.integer(1...2))" + activation))
    case "depthwise":
      let channels = channels + 1
      return candidate(
        convolution(
          "d", "data out", channels, channels, kernel: random.integer(1...4),
          stride: random.integer(1...3),
          " 4=\(random.integer(0...2)) 2=\(random.integer(1...2))" + activation, group: channels),
        input: [channels, input[1], input[2]])
    case "depthwise + pointwise":
      let channels = channels + 1
      return candidate(
        convolution(
          "d", "data a", channels, channels, kernel: 3, stride: random.integer(1...2), " 4=1",
          group: channels),
        convolution("c", "a b", channels, outputs), "Swish s 1 1 b out",
        input: [channels, input[1], input[2]])
    case "pointwise + strided":
      // The first one keeps the second from reading the input, which would prevent fusion.
      return candidate(
        convolution("f", "data f", channels, channels),
        convolution("p", "f a", channels, outputs), "Swish s 1 1 a b",
        convolution("c", "b out", outputs, channels, kernel: 3, stride: 2, " 4=1"))
    case "first convolution":
      return candidate(
        convolution("c", "data out", 3, outputs, kernel: 3, stride: random.integer(1...2), " 4=1"),
        input: [3, input[1], input[2]])
    case "pooling":
      return candidate(
        convolution("c", "data a", channels, outputs),
        "Pooling p 1 1 a out 1=\(random.integer(1...4)) 2=\(random.integer(1...3))"
          + " 3=\(random.integer(0...1)) 5=\(random.integer(0...3))")
    case "nearest":
      let size = random.choice([
        "1=2.0 2=2.0", "1=1.5 2=1.5", "1=0.6 2=0.6", "1=3.0 2=3.0", #"9="*(0w,2),*(0h,2)""#,
        #"9="+(0w,3)""#,
      ])
      return candidate(
        convolution("c", "data a", channels, outputs), "Interp i 1 1 a out 0=1 \(size)",
        input: [channels, input[1] + 1, input[2] + 1])
    case "activation":
      let layer = [
        "Swish s 1 1 a b", "Sigmoid s 1 1 a b", "ReLU s 1 1 a b 0=0.1", "HardSwish s 1 1 a b",
        "HardSigmoid s 1 1 a b", "ReLU s 1 1 a b",
      ][random.integer(0...5)]
      // The second reader keeps the activation from being fused.
      return candidate(
        convolution("c", "data a", channels, outputs), layer, "BinaryOp sum 2 1 a b out")
    case "sum":
      return candidate(
        convolution("c", "data a", channels, outputs),
        convolution("d", "data b", channels, outputs, kernel: 3, " 4=1"),
        "Eltwise sum 2 1 a b out 0=1")
    case "siblings":
      return candidate(
        convolution("c", "data a", channels, outputs),
        convolution("d", "a b", outputs, channels),
        convolution("e", "a c", outputs, outputs), "Concat j 2 1 b c out")
    case "strided Winograd":
      let (from, to) = (random.integer(32...50), random.integer(32...50))
      return candidate(
        convolution("c", "data a", from, to, kernel: 3, stride: 2, " 4=\(random.integer(0...1))"),
        "Swish s 1 1 a out", input: [from, input[1] + 2, input[2] + 2])
    case "upsampled":
      let (coarse, fine) = (channels, random.integer(1...40))
      let order = Bool.random(using: &random) ? "up b" : "b up"
      return candidate(
        convolution("a", "data a", 3, coarse, kernel: 3, stride: 2, " 4=1"),
        convolution("b", "data b", 3, fine, kernel: 3, " 4=1"),
        random.choice(["Interp i 1 1 a up 0=1 1=2.0 2=2.0", #"Interp i 2 1 a b up 0=1 9="1w,1h""#]),
        "Concat j 2 1 \(order) ab",
        convolution("c", "ab c", coarse + fine, outputs, activation),
        convolution("d", "ab d", coarse + fine, channels, activation),
        "Concat l 2 1 c d out", input: [3, 2 * input[1], 2 * input[2]])
    case "groups":
      return candidate(
        convolution("c", "data a", 2 * channels, 2 * outputs, kernel: 3, " 4=1", group: 2),
        "Swish s 1 1 a out", input: [2 * channels, input[1], input[2]])
    case "repeated":
      return candidate(
        convolution("c", "data a", channels, outputs), "Concat j 2 1 a a aa",
        convolution("d", "aa out", 2 * outputs, 2 * outputs, kernel: 3, " 4=1", group: 2 * outputs))
    case "one axis":
      return candidate(
        convolution("c", "data a", channels, outputs), "Swish s 1 1 a out", input: [channels])
    default:
      let half = outputs + 1
      return candidate(
        convolution("c", "data a", channels, half),
        convolution("d", "data b", channels, half),
        "Concat j 2 1 a b ab", "ShuffleChannel m 1 1 ab shuffled 0=2",
        "Slice k 1 2 shuffled left right -23300=2,\(half),-233",
        convolution("e", "right f", half, outputs, kernel: 3, " 4=1"),
        "Concat l 2 1 left f out")
    }
  }
}
