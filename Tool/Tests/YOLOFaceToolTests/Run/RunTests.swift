// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceInference
import YOLOFaceNCNN

@testable import YOLOFaceTool

struct RunTests {
  private let tool = Tool()

  /// A network of one convolution: 2 · a + b of two pixels, plus 10.
  private func writeConvolution() throws {
    // The tag of fp32 weights, which is 0, the weights and the bias.
    try writeModel(
      ["Input data 0 1 data", "Convolution a/b 1 1 data a/b 0=1 1=2 11=1 5=1 6=2"],
      weights: [0, 2, 1, 10], in: tool.directory)
    let input = try Tensor(shape: [1, 1, 3], values: [1, 2, 3])
    try NPY.write(input, path: tool.path("in.npy"))
  }

  /// A network of these layers, and a tensor of one number for it.
  private func write(_ layers: [String]) throws {
    try writeModel(layers, in: tool.directory)
    try NPY.write(Tensor(shape: [1, 1, 1], values: [1]), path: tool.path("in.npy"))
  }

  @Test(arguments: [
    "--extract a/b --extract data", "--extract-all", "--extract-all --plain",
    "--extract-all --threads 2 --isa baseline", "--extract a/b,a/b",
  ])
  func writesBlobs(which: String) throws {
    try writeConvolution()
    let run = try tool.run(
      line: "run m.param m.bin --input data=in.npy --output-directory new/blobs \(which)"
    ).succeeded()
    #expect(run.errors == "")
    #expect(run.output.components(separatedBy: "a/b 1 × 1 × 2\n").count == 2, "once")
    let blob = try NPY.read(path: tool.path("new/blobs/a_b.npy"))
    #expect(blob.shape == [1, 1, 2] && blob.values == [14, 17])
  }

  /// What leads to the blob is neither needed nor written.
  @Test(arguments: ["", " --plain"])
  func feedsABlobInTheMiddle(options: String) throws {
    try write([
      "Input data 0 1 data", "Magic m 1 1 data mid", "BinaryOp b 1 1 mid out 0=2 1=1 2=3",
    ])
    let run = try tool.run(
      line: "run m.param m.bin --input mid=in.npy --extract-all --output-directory blobs\(options)"
    ).succeeded()
    #expect(run.output == "mid 1 × 1 × 1\nout 1 × 1 × 1\n")
    #expect(try NPY.read(path: tool.path("blobs/out.npy")).values == [3])
  }

  /// A slash and a combining accent after it are a single `Character`, but to the system it is a
  /// slash.
  @Test func noBlobIsWrittenOutsideTheDirectory() throws {
    try write(["Input a 0 1 data", "ReLU b 1 1 data ../\u{301}out"])
    try tool.expectRuns(
      "run m.param m.bin --extract-all --input data=in.npy --output-directory blobs")
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.path("blobs"))
    #expect(names.sorted() == [".._\u{301}out.npy", "data.npy"])
  }

  @Test func refusesTwoBlobsForOneFile() throws {
    try write(["Input a 0 1 data", "ReLU b 1 1 data a/b", "ReLU c 1 1 a/b a_b"])
    try tool.expectRuns(
      """
      run m.param m.bin --input data=in.npy --extract-all --output-directory new | 1 both for a_b.npy
      run m.param m.bin --input data=in.npy --extract a_b,a/b --output-directory new | 1 both for a_b.npy
      run m.param m.bin --input data=in.npy --extract a_b
      """)
    #expect(!tool.exists("new"))
  }

  /// 8191 × 8191 exponentials.
  @Test(arguments: ["--max-memory 256", "--max-work 1 --plain"])
  func namesTheOptionThatAllowsMore(options: String) throws {
    try write([
      "Input data 0 1 data", "Padding p 1 1 data wide 0=4095 1=4095 2=4095 3=4095",
      "Exp e 1 1 wide out",
    ])
    try tool.run(line: "run m.param m.bin --input data=in.npy --extract out \(options)").failed(
      saying: "; \(options.words[0]) allows more")
  }

  @Test(arguments: [
    ("m.param m.bin --extract a/b", "no tensor for the input data"),
    (
      "m.param m.bin --extract x --input data=in.npy",
      "found the blob name x, expected one that a layer produces: a/b, data"
    ),
    ("m.param m.bin --extract a/b --input data=m.bin", "m.bin"),
    ("m.param m.param --extract a/b", "the text of a .param file"),
    ("m.bin m.bin --extract a/b", "m.bin"), ("none.param m.bin --extract a/b", "none.param"),
    (
      "m.param m.bin --extract a/b --input data=in.npy --output-directory in.npy/no",
      "in.npy/no: found not a directory"
    ),
  ])
  func namesTheError(line: String, words: String) throws {
    try writeConvolution()
    let run = try tool.run(line: "run \(line)").failed(saying: words)
    #expect(run.output == "")
  }

  @Test func refusesWrongUsage() {
    tool.expectUsage(
      of: "run m.param m.bin",
      table: """
        | Give --extract with names of blobs, or --extract-all.
        --extract x --extract-all | Give --extract with names of blobs, or --extract-all.
        --extract x --max-memory 4096 / --max-work 300
        --extract x --max-memory 0 | --max-memory
        --extract x --max-work 0 | --max-work
        --extract x --input data | --input data: give it as NAME=FILE.npy.
        --extract x,,y / x, | give comma-separated names of blobs.
        --extract-all --input x= | --input x=: give it as NAME=FILE.npy.
        --extract-all --input x=1.npy --input y=2.npy
        --extract-all --input x=1.npy --input x=2.npy | --input x=2.npy: x already has an array: give one.
        --extract x --threads 0 | --threads 0: give a number from 1 to 256.
        --extract x --isa mmx | The value 'mmx' is invalid for '--isa
        --extract x --plain --threads 2 / --isa baseline | --plain uses one thread and no SIMD kernels
        """)
  }
}
