// SPDX-License-Identifier: Apache-2.0

/// A vector or a row of vectors: Winograd's transforms work along rows first, then down columns of
/// whole rows.
public protocol Linear {
  /// The sum.
  static func + (a: Self, b: Self) -> Self
  /// The difference.
  static func - (a: Self, b: Self) -> Self
  /// Multiplied by a number.
  static func * (a: Self, factor: Float) -> Self
}

extension Float: Linear {}
extension SIMD4<Float>: Linear {}
extension SIMD8<Float>: Linear {}
extension SIMD16<Float>: Linear {}

@usableFromInline
struct Two<Part: Linear>: Linear {
  @usableFromInline var a, b: Part

  @_alwaysEmitIntoClient @inline(__always)
  init(a: Part, b: Part) {
    self.a = a
    self.b = b
  }

  @_alwaysEmitIntoClient @inline(__always)
  func forEach(_ body: (Int, Part) -> Void) {
    body(0, a)
    body(1, b)
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func + (x: Self, y: Self) -> Self { Self(a: x.a + y.a, b: x.b + y.b) }
  @_alwaysEmitIntoClient @inline(__always)
  static func - (x: Self, y: Self) -> Self { Self(a: x.a - y.a, b: x.b - y.b) }
  @_alwaysEmitIntoClient @inline(__always)
  static func * (x: Self, factor: Float) -> Self { Self(a: x.a * factor, b: x.b * factor) }
}

@usableFromInline
typealias Four<Part: Linear> = Two<Two<Part>>

extension Two {
  /// Calls a function with the values of a `Four`.
  @_alwaysEmitIntoClient @inline(__always)
  func forEachOfFour<Value>(_ body: (Int, Value) -> Void) where Part == Two<Value> {
    a.forEach(body)
    b.forEach { body($0 &+ 2, $1) }
  }
}

/// Five values: a line of a transformed tile at stride 2.
@usableFromInline
struct Five<Part: Linear>: Linear {
  @usableFromInline var a, b, c, d, e: Part

  @_alwaysEmitIntoClient @inline(__always)
  init(a: Part, b: Part, c: Part, d: Part, e: Part) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
  }

  @_alwaysEmitIntoClient @inline(__always)
  init(_ part: (Int) -> Part) {
    self.init(a: part(0), b: part(1), c: part(2), d: part(3), e: part(4))
  }

  /// Transforms a row or column of three weights.
  @_alwaysEmitIntoClient @inline(__always)
  init(transforming g: (Part, Part, Part)) {
    self.init(a: g.0, b: g.0 + g.2, c: g.2, d: g.1, e: g.1)
  }

  /// A line of inputs, transformed: differences of the even ones for F(2, 2), and the odd ones.
  @_alwaysEmitIntoClient @inline(__always)
  var transformedInput: Self { Self(a: a - c, b: c, c: c - e, d: b, e: d) }

  /// Two outputs.
  @_alwaysEmitIntoClient @inline(__always)
  var transformedOutput: Two<Part> { Two(a: a + b + d, b: b - c + e) }

  @_alwaysEmitIntoClient @inline(__always)
  func forEach(_ body: (Int, Part) -> Void) {
    body(0, a)
    body(1, b)
    body(2, c)
    body(3, d)
    body(4, e)
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func + (x: Self, y: Self) -> Self {
    Self(a: x.a + y.a, b: x.b + y.b, c: x.c + y.c, d: x.d + y.d, e: x.e + y.e)
  }
  @_alwaysEmitIntoClient @inline(__always)
  static func - (x: Self, y: Self) -> Self {
    Self(a: x.a - y.a, b: x.b - y.b, c: x.c - y.c, d: x.d - y.d, e: x.e - y.e)
  }
  @_alwaysEmitIntoClient @inline(__always)
  static func * (x: Self, factor: Float) -> Self {
    Self(a: x.a * factor, b: x.b * factor, c: x.c * factor, d: x.d * factor, e: x.e * factor)
  }
}

/// Six values: a line of a transformed tile at stride 1.
@usableFromInline
struct Six<Part: Linear>: Linear {
  @usableFromInline var a, b, c, d, e, f: Part

  @_alwaysEmitIntoClient @inline(__always)
  init(a: Part, b: Part, c: Part, d: Part, e: Part, f: Part) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
  }

  @_alwaysEmitIntoClient @inline(__always)
  init(_ part: (Int) -> Part) {
    self.init(a: part(0), b: part(1), c: part(2), d: part(3), e: part(4), f: part(5))
  }

  /// Transforms a row or column of three weights: evaluates the polynomial with these coefficients
  /// at 0, ±√½, ±√2 and ∞, and divides each value by the product of the distances from its point to
  /// the others.
  @_alwaysEmitIntoClient @inline(__always)
  init(transforming g: (Part, Part, Part)) {
    let near = ((g.0 + g.2 * 0.5) * (-1 / 1.5), g.1 * (-0.70710678 / 1.5))
    let far = ((g.0 + g.2 * 2) * (1 / 6), g.1 * (1.4142136 / 6))
    self.init(
      a: g.0, b: near.0 + near.1, c: near.0 - near.1, d: far.0 + far.1, e: far.0 - far.1, f: g.2)
  }

  /// A line of inputs, transformed: for each of the points 0, ±√½, ±√2 and ∞, its inner product
  /// with the coefficients of (x² − ½)(x² − 2)x without that point's factor. These points lose the
  /// fewest digits, since none of their powers is far from 1.
  @_alwaysEmitIntoClient @inline(__always)
  var transformedInput: Self {
    let near = (e - c * 2, (d - b * 2) * 0.70710678)
    let far = (e - c * 0.5, (d - b * 0.5) * 1.4142136)
    return Self(
      a: a + e - c * 2.5, b: near.0 + near.1, c: near.0 - near.1, d: far.0 + far.1,
      e: far.0 - far.1, f: b + f - d * 2.5)
  }

  /// Four outputs: output i is the sum over the points, each weighted by its i-th power.
  @_alwaysEmitIntoClient @inline(__always)
  var transformedOutput: Four<Part> {
    let near = (b + c, b - c)
    let far = (d + e, d - e)
    return Four(
      a: Two(a: a + near.0 + far.0, b: near.1 * 0.70710678 + far.1 * 1.4142136),
      b: Two(a: near.0 * 0.5 + far.0 * 2, b: near.1 * 0.35355339 + far.1 * 2.8284271 + f))
  }

  @_alwaysEmitIntoClient @inline(__always)
  func forEach(_ body: (Int, Part) -> Void) {
    body(0, a)
    body(1, b)
    body(2, c)
    body(3, d)
    body(4, e)
    body(5, f)
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func + (x: Self, y: Self) -> Self {
    Self(a: x.a + y.a, b: x.b + y.b, c: x.c + y.c, d: x.d + y.d, e: x.e + y.e, f: x.f + y.f)
  }
  @_alwaysEmitIntoClient @inline(__always)
  static func - (x: Self, y: Self) -> Self {
    Self(a: x.a - y.a, b: x.b - y.b, c: x.c - y.c, d: x.d - y.d, e: x.e - y.e, f: x.f - y.f)
  }
  @_alwaysEmitIntoClient @inline(__always)
  static func * (x: Self, factor: Float) -> Self {
    Self(
      a: x.a * factor, b: x.b * factor, c: x.c * factor, d: x.d * factor, e: x.e * factor,
      f: x.f * factor)
  }
}
