import Testing

@testable import NCNN

@Suite struct ReshapeTests {
  @Test(arguments: [
    ("0=6", [6]), ("0=6 1=5", [5, 6]), ("0=6 1=5 2=4", [4, 5, 6]), ("0=-1 1=16", [16, -1]),
    ("0=0 1=-1 2=0", [0, -1, 0]), ("0=6 1=-233 2=-233 11=-233 3=0", [6]),
    ("0=6 1=5 11=4 2=3", [3, 4, 5, 6]), ("0=0 1=-1 11=0 2=0", [0, 0, -1, 0]),
    ("0=6 1=5 11=4", [5, 6]),
  ])
  func reshape(_ parameters: String, _ sizes: [Int]) throws {
    let reshape: Reshape = try readOperation("Reshape", parameters)
    #expect(reshape.sizes == sizes)
  }

  @Test func reshapeByOtherBlobs() throws {
    let reshape: Reshape = try readOperation("Reshape", #"0=3 6="1w,1h,128""#, inputs: 2)
    #expect(reshape.expression == ShapeExpression("1w,1h,128") && reshape.sizes == [])
    #expect(throws: ModelError.self) { try readLayer("Reshape", #"6="1w,1h,128""#) }
    #expect(throws: ModelError.self) { try readLayer("Reshape", #"6="0w,-1""#, inputs: 2) }
  }

  /// As pnnx writes them after a global pooling; five sizes where one of them is the batch.
  @Test func reshapeWithABatch() throws {
    let text = #"12=0 13=-1 6="1,1,//(8,0n),0n,0w""#
    let reshape: Reshape = try readOperation("Reshape", text)
    #expect(reshape.inputBatchAxis == 0 && reshape.outputBatchAxis == -1)
    #expect(reshape.expression?.values(for: [[8]]) == [1, 1, 8, 1, 8])
    let plain: Reshape = try readOperation("Reshape", "0=1 12=233 13=233")
    #expect(plain.inputBatchAxis == nil && plain.outputBatchAxis == nil)
    for wrong in [
      "0=1 12=5", "0=1 13=-6", "0=1 13=232", #"6="0w,0h,0c,0w,0h""#, #"13=0 6="0w,0h,0c,0w,0h,0n""#,
    ] {
      #expect(throws: ModelError.self) { try readLayer("Reshape", wrong) }
    }
  }
}
