// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

extension Engine {
  /// Compiles the network for inputs of some shapes: a plan is the list of steps that a run takes.
  ///
  /// - Throws: `InferenceError` where the network cannot be run so, or a run would take too much memory or time;
  ///   before much of either is spent.
  func plan(_ request: PlanRequest, store: PlanStore = PlanStore()) throws(InferenceError) -> Plan {
    let last = store.graph.flatMap { $0.serves(request) ? $0 : nil }
    let schedule =
      if let last { last.schedule } else { try Schedule(network, extracting: request.wanted) }
    try schedule.requireRunnableLayers(of: network)
    try schedule.require(inputs: Set(request.shapes.keys), of: network)
    let shapes = try ShapeInference(network, layers: schedule.layers, inputs: request.shapes).shapes
    for output in request.gated { try output.require(shapes[output.blob] ?? []) }
    try requireBudget(schedule, shapes)
    let forms = schedule.layers.map { LayerForm(network.layers[$0], lowerings[$0], shapes: shapes) }
    let passed =
      if let last, last.forms == forms { last } else {
        passedGraph(request, schedule, forms, store)
      }
    let plan = try Planner(
      passed.graph, shapes: shapes, reduced: passed.reduced, kernels: kernels,
      normalization: request.normalization, store: store, maximumWork: maximumWork
    ).plan
    try plan.requireBounds(threads: threads.count, maximumElements: maximumElements)
    return plan
  }

  /// Bounds the time of a run, and the memory of plain layers. The plan bounds its own.
  private func requireBudget(
    _ schedule: Schedule, _ shapes: [String: [Int]]
  ) throws(InferenceError) {
    let (doubled, overflows) = maximumElements.multipliedReportingOverflow(by: 2)
    var budget = Budget(
      maximumElements: overflows ? maximumElements : doubled, maximumWork: maximumWork)
    try budget.check(schedule, of: network, shapes: shapes)
  }

  /// The network's graph after all passes, which the next plan may use, too.
  private func passedGraph(
    _ request: PlanRequest, _ schedule: Schedule, _ forms: [LayerForm], _ store: PlanStore
  ) -> PassedGraph {
    var graph = Graph(
      network, schedule, forms: forms, weights: weights, lowerings: lowerings, int8Blobs: int8Blobs,
      wanted: request.wanted, curves: store.curves)
    let reduced = graph.pass(request)
    let passed = PassedGraph(
      request: request, schedule: schedule, forms: forms, graph: graph, reduced: reduced)
    store.graph = passed
    return passed
  }
}

extension Graph {
  /// Rewrites the layers as what the kernels compute, pass by pass.
  ///
  /// - Returns: for each gated output what it was reduced to; nil for those that are computed whole.
  fileprivate mutating func pass(_ request: PlanRequest) -> [ReducedOutput?] {
    self = eliminatingSplits()
    self = keepingInt8InKernels()
    guard !request.keepsLayers else { return [] }
    let asked = wanted
    self = fusingActivations()
    self = foldingSwish()
    self = fusingDepthwise()
    self = fusingPointwise()
    let reduced: [ReducedOutput?]
    (self, reduced) = reducing(request.gated, exceptFor: request.outputs)
    self = joiningSiblings()
    self = fusingUpsampling()
    self = holdingBytes(exceptFor: asked)
    return reduced
  }
}

/// A network's graph after all passes, which serves plans for the same blobs and other shapes.
struct PassedGraph {
  let request: PlanRequest
  let schedule: Schedule
  let forms: [LayerForm]
  let graph: Graph
  let reduced: [Graph.ReducedOutput?]

  /// Whether a request is for the same blobs.
  func serves(_ request: PlanRequest) -> Bool {
    (request.outputs, request.gated, request.keepsLayers)
      == (self.request.outputs, self.request.gated, self.request.keepsLayers)
  }
}
