import NCNN

/// What a plan depends on.
struct PlanRequest: Hashable {
  /// The shape of each input.
  var shapes: [String: [Int]]
  /// Blobs that are computed whole.
  var outputs: [String]
  var gated: [GatedOutput] = []
  /// What the bytes become where the one input is a picture; nil where inputs are tensors.
  var normalisation: Normalisation?
  /// Whether each layer is a step of its own.
  var keepsLayers = false
}

extension Engine {
  /// The most multiply-adds of a run, and the most elements that its tasks may copy.
  static let maximumWork: Int64 = 1 << 37

  /// What the plan for a picture of a size depends on.
  func pictureRequest(rows: Int, columns: Int) throws(InferenceError) -> PlanRequest {
    guard network.inputs.count == 1 else {
      throw InferenceError(
        .input, found: "\(network.inputs.count) inputs", expected: "one, for the picture")
    }
    return PlanRequest(
      shapes: [network.inputs[0]: [3, rows, columns]], outputs: outputs, gated: gated,
      normalisation: normalisation)
  }

  /// Plans a run, within bounds of memory and time.
  ///
  /// - Parameter store: what other plans have made.
  func plan(
    _ request: PlanRequest, store: PlanStore = PlanStore()
  ) throws(InferenceError) -> Plan {
    let wanted = request.outputs + request.gated.map { $0.blob }
    let schedule = try Schedule(network, extracting: wanted)
    try schedule.require(inputs: Set(request.shapes.keys), of: network)
    let inference = try ShapeInference(network, layers: schedule.layers, inputs: request.shapes)
    for output in request.gated { try output.require(inference.shapes[output.blob] ?? []) }
    // The plan bounds its own memory; this bounds the time, and what plain layers hold.
    var budget = Budget(maximumElements: 1 << 29, maximumWork: Self.maximumWork)
    try budget.check(schedule, of: network, shapes: inference.shapes)
    var graph = Graph(
      network, schedule, shapes: inference.shapes, weights: weights, int8Blobs: int8Blobs,
      wanted: wanted, store: store
    ).eliminatingSplits().keepingInt8InKernels()
    let asked = graph.wanted
    var reduced: [Graph.ReducedOutput?] = []
    if !request.keepsLayers {
      graph = graph.fusingActivations().foldingSwish().fusingDepthwise().fusingPointwise()
      (graph, reduced) = graph.reducing(request.gated, exceptFor: request.outputs)
      graph = graph.joiningSiblings().fusingUpsampling()
      graph = graph.holdingBytes(exceptFor: asked)
    }
    let plan = try Planner(
      graph, reduced: reduced, kernels: kernels, normalisation: request.normalisation
    ).plan
    try plan.requireBounds(threads: threads.count)
    return plan
  }
}
