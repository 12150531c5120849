// SPDX-License-Identifier: Apache-2.0
#if canImport(EmbeddedLibC)
  // Other platforms' overlays name the functions of floats like those of doubles.

  /// eˣ.
  public func exp(_ x: Float) -> Float { expf(x) }

  /// The natural logarithm.
  public func log(_ x: Float) -> Float { logf(x) }

  /// xʸ.
  public func pow(_ x: Float, _ y: Float) -> Float { powf(x, y) }

  /// The hyperbolic tangent.
  public func tanh(_ x: Float) -> Float { tanhf(x) }

  /// The sine.
  public func sin(_ x: Float) -> Float { sinf(x) }

  /// The cosine.
  public func cos(_ x: Float) -> Float { cosf(x) }

  /// The tangent.
  public func tan(_ x: Float) -> Float { tanf(x) }

  /// The arc sine.
  public func asin(_ x: Float) -> Float { asinf(x) }

  /// The arc cosine.
  public func acos(_ x: Float) -> Float { acosf(x) }

  /// The arc tangent.
  public func atan(_ x: Float) -> Float { atanf(x) }

  /// The decimal logarithm.
  public func log10(_ x: Float) -> Float { log10f(x) }

  /// The complementary error function.
  public func erfc(_ x: Float) -> Float { erfcf(x) }

  /// The angle of the point (x, y).
  public func atan2(_ y: Float, _ x: Float) -> Float { atan2f(y, x) }
#endif
