/// A text as it stands in an element, or between double quotes.
package func xmlText(_ text: String, inQuotes: Bool = false) -> String {
  text.unicodeScalars.reduce(into: "") { result, scalar in
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"" where inQuotes: result += "&quot;"
    default: result.unicodeScalars.append(scalar)
    }
  }
}
