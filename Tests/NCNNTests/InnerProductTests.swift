import Testing

@testable import NCNN

@Suite struct InnerProductTests {
  @Test func defaults() throws {
    let product: InnerProduct = try readOperation("InnerProduct", "0=4 2=12")
    #expect(product.outputCount == 4)
    #expect(product.inputCount == 3)
    #expect(!product.hasBias)
    #expect(product.activation == .none)
    #expect(product.int8ScaleTerm == 0)
  }

  @Test func everyParameter() throws {
    let product: InnerProduct = try readOperation(
      "InnerProduct", "0=5 1=1 2=10 8=2 9=3 -23310=2,0.0,6.0")
    #expect(product.outputCount == 5)
    #expect(product.inputCount == 2)
    #expect(product.hasBias)
    #expect(product.activation == .clip(minimum: 0, maximum: 6))
    #expect(product.int8ScaleTerm == 2)
  }

  @Test func weightArrays() throws {
    #expect(try weights("InnerProduct", "0=4 2=12") == ["weights 12*"])
    #expect(try weights("InnerProduct", "0=4 1=1 2=12") == ["weights 12*", "bias 4"])
    #expect(
      try weights("InnerProduct", "0=4 1=1 2=12 8=1")
        == ["weights 12*", "bias 4", "weight scales 4", "input scale 1"])
    // Upstream reads no scale of the result, and hands on floats.
    #expect(
      try weights("InnerProduct", "0=4 2=12 8=101")
        == ["weights 12*", "weight scales 4", "input scale 1"])
  }
}
