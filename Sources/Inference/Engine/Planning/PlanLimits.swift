// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// What a plan may ask for before it is refused: a model file of a few lines can ask for any number
/// of blocks, and its weights grow when they are packed.
extension Planner {
  /// Counts entries of tables of rows and columns, before memory is allocated for them.
  mutating func countTables(_ sizes: Int...) throws(InferenceError) {
    tableEntries += sizes.reduce(0, +)
    guard tableEntries <= 1 << 21 else {
      throw InferenceError(
        .limit, found: "\(tableEntries) rows and columns in tables", expected: "at most 2²¹")
    }
  }

  /// Refuses packed weights that would exceed what a plan may have, before memory is allocated for them.
  func requireRoom(forWeights count: Int) throws(InferenceError) {
    let packed = plan.weightBytes / 4 + count
    guard 2 * packed <= RunLimit.defaultElements else {
      throw InferenceError(.limit, found: "\(packed) packed weights", expected: "at most 2²⁷")
    }
  }

  /// Refuses a plan whose lists have become too long, whose tasks prepare too much, or whose plain layers
  /// take too long.
  func requireBounds() throws(InferenceError) {
    guard preparedElements <= Double(maximumWork) else {
      throw InferenceError(
        .work, found: "\(preparedElements) elements copied for windows", most: maximumWork)
    }
    guard plainWork <= maximumWork / RunLimit.plainPart else {
      throw InferenceError(
        .work, found: "\(plainWork) steps of arithmetic without a kernel",
        most: maximumWork / RunLimit.plainPart)
    }
    // Placing blocks takes time quadratic in their number.
    guard plan.blockSizes.count <= 1 << 14 else {
      throw InferenceError(
        .limit, found: "more than 2¹⁴ blocks of channels", expected: "at most 2¹⁴")
    }
    guard placeCount <= 1 << 22 else {
      throw InferenceError(
        .limit, found: "\(placeCount) channels in blobs", expected: "at most 2²²")
    }
  }
}

extension Plan {
  /// Elements of memory that the plan's executor holds; it may share the weights with others.
  var ownElements: Int {
    tensorElements + 2 * sources.count + zeroCount + weightBytes / 4
  }

  /// Says before which step each tensor is freed but those that the caller reads after the run, and counts
  /// those that exist at one time.
  ///
  /// Only steps of a single task free tensors: no other thread works then. All that make larger ones are.
  mutating func releaseTensors(keeping kept: [Int]) {
    var lastUses: [Int: Int] = [:]
    for (index, step) in steps.enumerated() {
      for tensor in step.tensorReads + step.tensorWrites { lastUses[tensor] = index }
    }
    for tensor in kept { lastUses[tensor] = steps.count }
    func size(_ tensor: Int) -> Int { tensorShapes[tensor].reduce(1, *) }
    var live = Set(inputTensors.values)
    var elements = live.reduce(0) { $0 + size($1) }
    tensorElements = elements
    for index in steps.indices {
      if steps[index].taskCount == 1 {
        let dead = live.filter { lastUses[$0] ?? 0 < index }
        live.subtract(dead)
        elements -= dead.reduce(0) { $0 + size($1) }
        steps[index].released = dead.sorted()
      }
      for tensor in steps[index].tensorWrites where live.insert(tensor).inserted {
        elements += size(tensor)
      }
      tensorElements = max(tensorElements, elements)
    }
  }

  /// Refuses a plan that would take more elements in all.
  func requireBounds(threads: Int, maximumElements: Int) throws(InferenceError) {
    let elements = arenaSize + scratchSize * threads + plainScratchSize + ownElements
    guard elements <= maximumElements else {
      throw InferenceError(
        .elements, found: "\(elements) elements in blobs and weights", most: Int64(maximumElements)
      )
    }
  }
}
