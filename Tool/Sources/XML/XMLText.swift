// SPDX-License-Identifier: Apache-2.0

/// A text as it stands in an element, or between double quotes. What XML cannot hold even so is replaced.
package func xmlText(_ text: String, inQuotes: Bool = false) -> String {
  text.unicodeScalars.reduce(into: "") { result, scalar in
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"" where inQuotes: result += "&quot;"
    case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
    default: result.unicodeScalars.append(scalar)
    }
  }
}
