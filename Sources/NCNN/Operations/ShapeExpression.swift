/// Sizes that are computed from those of a layer's input, as pnnx writes them for networks of open
/// input size: `"4,*(0c,0h)"` is a width of 4 and a height of the input's channels times its height.
///
/// Sizes come from the innermost axis out, separated by commas. A size is a whole number, an axis of
/// the input (`0w`, `0h`, `0c`), or one of `+ - * //` before two sizes in parentheses.
/// (https://github.com/Tencent/ncnn, `src/expression.cpp`.)
public struct ShapeExpression: Hashable, Sendable {
  private indirect enum Term: Hashable, Sendable {
    case number(Int)
    /// Counted from the innermost.
    case axis(Int)
    case operation(String, Term, Term)
  }

  /// The most characters.
  static let longest = 256
  /// The most operations within each other.
  static let deepest = 8

  /// From the innermost axis out.
  private var terms: [Term] = []

  /// Reads an expression; nil where it has another form.
  init?(_ text: String) {
    guard text.utf8.count <= ShapeExpression.longest else { return nil }
    var rest = Substring(text)
    repeat {
      guard let term = ShapeExpression.term(&rest, depth: 0) else { return nil }
      terms.append(term)
    } while rest.popPrefix(",")
    guard rest.isEmpty, terms.count <= 3 else { return nil }
  }

  private static func term(_ text: inout Substring, depth: Int) -> Term? {
    for (number, axis) in ["0w", "0h", "0c"].enumerated() where text.popPrefix(axis) {
      return .axis(number)
    }
    for sign in ["//", "+", "*", "-"] where text.hasPrefix(sign + "(") {
      text.removeFirst(sign.count + 1)
      guard depth < deepest, let first = term(&text, depth: depth + 1), text.popPrefix(","),
        let second = term(&text, depth: depth + 1), text.popPrefix(")")
      else { return nil }
      return .operation(sign, first, second)
    }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "-") }
    guard let number = Int(digits), number.magnitude <= Limits.integerParameter else { return nil }
    text.removeFirst(digits.count)
    return .number(number)
  }

  /// The sizes for an input's shape, both from the outermost axis in.
  ///
  /// - Returns: nil where a number overflows or a division has no positive divisor.
  public func sizes(for shape: [Int]) -> [Int]? {
    let sizes = terms.compactMap { value(of: $0, Array(shape.reversed())) }
    return sizes.count == terms.count ? sizes.reversed() : nil
  }

  private func value(of term: Term, _ axes: [Int]) -> Int? {
    switch term {
    case .number(let number): return number
    case .axis(let axis): return axis < axes.count ? axes[axis] : 1
    case .operation(let sign, let first, let second):
      guard let a = value(of: first, axes), let b = value(of: second, axes) else { return nil }
      let (result, overflow) =
        switch sign {
        case "+": a.addingReportingOverflow(b)
        case "-": a.subtractingReportingOverflow(b)
        case "*": a.multipliedReportingOverflow(by: b)
        // Sizes are not negative, where `//` would round down and this rounds to 0.
        default: a < 0 || b < 1 ? (0, true) : (a / b, false)
        }
      return overflow ? nil : result
    }
  }
}

extension Substring {
  /// Removes a prefix, if it is there.
  fileprivate mutating func popPrefix(_ prefix: String) -> Bool {
    guard hasPrefix(prefix) else { return false }
    removeFirst(prefix.count)
    return true
  }
}
