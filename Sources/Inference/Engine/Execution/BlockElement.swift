// SPDX-License-Identifier: Apache-2.0

/// What blocks of the arena hold: fp32, or int8 as unsigned bytes.
protocol BlockElement: BitwiseCopyable {
  /// Channels in a block.
  static func lanes(_ plan: Plan) -> Int
}

extension Float: BlockElement {
  static func lanes(_ plan: Plan) -> Int { plan.lanes }
}

extension UInt8: BlockElement {
  static func lanes(_ plan: Plan) -> Int { 16 }
}

extension UnsafeMutablePointer<Float> {
  func elements<Element: BlockElement>(
    as _: Element.Type = Element.self
  ) -> UnsafeMutablePointer<Element> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Element.self)
  }

  var bytes: UnsafeMutablePointer<UInt8> { elements() }
}
