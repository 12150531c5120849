/// Parameters of Permute: the axes in another order.
public struct Permute: Hashable, Sendable {
  /// ncnn's number of the order, 0…5: for the result's axes from the innermost out
  /// WHC, HWC, WCH, CWH, HCW, CHW.
  public var order: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    order = try reader.integer(0, "order_type", default: 0, in: 0...5)
  }
}
