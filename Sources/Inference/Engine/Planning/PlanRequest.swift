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

  /// All blobs that are computed, whole or not.
  var wanted: [String] { outputs + gated.map { $0.blob } }
}

extension Engine {
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
  func plan(_ request: PlanRequest, store: PlanStore = PlanStore()) throws(InferenceError) -> Plan {
    let known = store.graph?.schedule(for: request)
    let schedule =
      if let known { known } else { try Schedule(network, extracting: request.wanted) }
    try schedule.requireRunnableLayers(of: network)
    try schedule.require(inputs: Set(request.shapes.keys), of: network)
    let inference = try ShapeInference(network, layers: schedule.layers, inputs: request.shapes)
    for output in request.gated { try output.require(inference.shapes[output.blob] ?? []) }
    // The plan bounds its own memory; this bounds the time, and what plain layers hold.
    let (doubled, overflows) = maximumElements.multipliedReportingOverflow(by: 2)
    var budget = Budget(
      maximumElements: overflows ? maximumElements : doubled, maximumWork: maximumWork)
    try budget.check(schedule, of: network, shapes: inference.shapes)
    let forms = schedule.layers.map {
      LayerForm(network.layers[$0], lowerings[$0], shapes: inference.shapes)
    }
    let passed: PassedGraph
    if known != nil, let last = store.graph, last.forms == forms {
      passed = last
    } else {
      passed = graph(request, schedule, forms, curves: store.curves)
      store.graph = passed
    }
    let plan = try Planner(
      passed.graph, shapes: inference.shapes, reduced: passed.reduced, kernels: kernels,
      normalisation: request.normalisation, store: store, maximumWork: maximumWork
    ).plan
    try plan.requireBounds(threads: threads.count, maximumElements: maximumElements)
    return plan
  }

  /// The network's graph after all passes.
  private func graph(
    _ request: PlanRequest, _ schedule: Schedule, _ forms: [LayerForm], curves: ByteCurves
  ) -> PassedGraph {
    var graph = Graph(
      network, schedule, forms: forms, weights: weights, lowerings: lowerings, int8Blobs: int8Blobs,
      wanted: request.wanted, curves: curves
    ).eliminatingSplits().keepingInt8InKernels()
    let asked = graph.wanted
    var reduced: [Graph.ReducedOutput?] = []
    if !request.keepsLayers {
      graph = graph.fusingActivations().foldingSwish().fusingDepthwise().fusingPointwise()
      (graph, reduced) = graph.reducing(request.gated, exceptFor: request.outputs)
      graph = graph.joiningSiblings().fusingUpsampling().holdingBytes(exceptFor: asked)
    }
    return PassedGraph(
      request: request, schedule: schedule, forms: forms, graph: graph, reduced: reduced)
  }
}

/// A network's graph after all passes, which serves plans for the same blobs and other shapes.
struct PassedGraph {
  let request: PlanRequest
  let schedule: Schedule
  let forms: [LayerForm]
  let graph: Graph
  let reduced: [Graph.ReducedOutput?]

  /// The order of the layers, if the request is for the same blobs.
  func schedule(for request: PlanRequest) -> Schedule? {
    let isSame =
      (request.outputs, request.gated, request.keepsLayers)
      == (self.request.outputs, self.request.gated, self.request.keepsLayers)
    return isSame ? schedule : nil
  }
}
