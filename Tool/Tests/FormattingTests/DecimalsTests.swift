import Formatting
import Testing

struct DecimalsTests {
  @Test(arguments: [
    (0, 1, "0.0"), (-0.0, 1, "0.0"), (-0.04, 1, "0.0"), (0.04, 1, "0.0"), (-0.06, 1, "-0.1"),
    (1, 3, "1.000"), (0.9, 3, "0.900"), (0.0004, 3, "0.000"), (123.46, 1, "123.5"),
    (-123.46, 1, "-123.5"), (1e300, 1, "1e+300"), (9.96, 1, "10.0"),
  ])
  func writesFixedDecimals(number: Double, decimals: Int, text: String) {
    #expect(fixed(number, decimals: decimals) == text)
  }
}
