// SPDX-License-Identifier: Apache-2.0
import Testing
@testable import YOLOFaceNCNN

struct TensorTests {
  @Test func indicesAreRowMajor() async throws {
    var tensor = try Tensor(shape: [2, 3, 4], values: (0..<24).map { Float($0) })
    #expect(tensor[0, 0, 0] == 0 && tensor[1, 2, 3] == 23 && tensor[1, 0, 2] == 14)
    tensor[0, 2, 1] = -1
    #expect(tensor.values[9] == -1)
    await #expect(processExitsWith: .failure) {
      _ = try Tensor(shape: [2, 2], values: [0, 0, 0, 0])[2, 0]
    }
    await #expect(processExitsWith: .failure) {
      _ = try Tensor(shape: [2, 2], values: [0, 0, 0, 0])[3]
    }
  }
}
