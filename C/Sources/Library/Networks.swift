// SPDX-License-Identifier: Apache-2.0
import Header
import YOLOFace
import YOLOFaceInference
import YOLOFaceNCNN

/// A network of a handle, and the names of its blobs.
final class LoadedNetwork: Sendable {
  let engine: Engine
  /// Inputs, outputs and all, in this order.
  let names: [[CText]]

  init(_ network: Network, threads: Int) throws {
    engine = try Engine(network, threads: threads)
    let all = network.layers.flatMap { $0.outputs }
    names = [network.inputs, network.outputs, all].map { $0.map(CText.init) }
  }
}

/// What a run has given.
struct Run: Sendable {
  let blobs: [(name: CText, values: CValues<Float>, shape: [Int])]

  init(_ tensors: [(name: String, tensor: Tensor)]) {
    blobs = tensors.map { (CText($0.name), CValues($0.tensor.values), $0.tensor.shape) }
  }
}

/// See `yoloface.h`.
@_cdecl("yoloface_network_open")
public func openNetwork(
  _ param: UnsafePointer<CChar>?, _ bin: UnsafePointer<CChar>?, _ threads: Int32
) -> UInt64 {
  opening {
    let threads = try required(threads, "threads", in: 1...256)
    let network =
      param == nil && bin == nil
      ? try Network.embedded()
      : try Network(
        param: try text(param, "param"),
        bin: try text(bin, "bin"))
    return .network(try LoadedNetwork(network, threads: threads))
  }
}

/// See `yoloface.h`.
@_cdecl("yoloface_network_blob")
public func networkBlob(_ network: UInt64, _ which: Int32, _ number: Int64) -> UnsafePointer<CChar>?
{
  answering(nil) {
    let names = try loaded(network).names
    let which = try required(which, "which", in: 0...Int32(names.count - 1))
    let count = names[which].count
    let number = try required(number, "number", in: 0...Int64(max(count, 1) - 1))
    guard number < count else { throw CallError("found no such blobs") }
    return names[which][number].pointer
  }
}

/// See `yoloface.h`.
@_cdecl("yoloface_network_run")
public func runNetwork(
  _ network: UInt64, _ inputs: UnsafePointer<yoloface_tensor>?, _ inputCount: Int64,
  _ wanted: UnsafePointer<UnsafePointer<CChar>?>?, _ wantedCount: Int64
) -> UInt64 {
  opening {
    let engine = try loaded(network).engine
    let blobs: ClosedRange<Int64> = 0...Int64(engine.network.layers.count * 256)
    var tensors: [String: Tensor] = [:]
    for index in 0..<(try required(inputCount, "input_count", in: blobs)) {
      let input = try required(inputs, "inputs")[index]
      let name = try name(input.name, "an input's name")
      guard tensors.updateValue(try Tensor(input), forKey: name) == nil else {
        throw CallError("found two inputs named \(name), expected one")
      }
    }
    let names = try (0..<(try required(wantedCount, "wanted_count", in: blobs))).map { index in
      try name(try required(wanted, "wanted")[index], "a wanted name")
    }
    let found = try engine.run(tensors, extracting: names)
    return .run(
      Run(try names.map { name in (name, try required(found[name], "blob \(name)")) }))
  }
}

/// See `yoloface.h`.
@_cdecl("yoloface_run_blob")
public func runBlob(
  _ run: UInt64, _ place: Int64, _ blob: UnsafeMutablePointer<yoloface_tensor>?
) -> Int32 {
  answering(-1) {
    let blobs = try resource(run, "run") { if case .run(let run) = $0 { run.blobs } else { nil } }
    let target = try required(blob, "blob")
    guard place >= 0, place < blobs.count else {
      throw CallError("found \(place) as place, expected less than \(blobs.count)")
    }
    let (name, values, shape) = blobs[Int(place)]
    let sizes = shape.map(Int64.init) + [0, 0, 0]
    target.pointee = yoloface_tensor(
      name: name.pointer, values: UnsafePointer(values.buffer.baseAddress),
      count: values.buffer.count, shape: (sizes[0], sizes[1], sizes[2], sizes[3]),
      axes: Int32(shape.count))
    return 0
  }
}

private func loaded(_ handle: UInt64) throws(CallError) -> LoadedNetwork {
  try resource(handle, "network") { if case .network(let network) = $0 { network } else { nil } }
}

extension Tensor {
  fileprivate init(_ tensor: yoloface_tensor) throws {
    let axes = try required(tensor.axes, "axes", in: 1...4)
    let sizes = [tensor.shape.0, tensor.shape.1, tensor.shape.2, tensor.shape.3].prefix(axes)
    let shape = try sizes.map { try required($0, "a size of the shape", in: 1...Int64(Int32.max)) }
    let values = try required(tensor.values, "values")
    // The product is compared before anything is read.
    let count = shape.reduce(into: (partialValue: 1, overflow: false)) { product, size in
      let (value, overflow) = product.partialValue.multipliedReportingOverflow(by: size)
      product = (value, product.overflow || overflow)
    }
    guard !count.overflow, count.partialValue == tensor.count else {
      throw CallError("found \(tensor.count) values for shape \(shape), expected its product")
    }
    try self.init(
      shape: shape,
      values: Array(UnsafeBufferPointer(start: values, count: count.partialValue)))
  }
}
