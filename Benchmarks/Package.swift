// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// What the plugin expects of a set of benchmarks: an executable in a folder named Benchmarks
/// beside this manifest.
func benchmarks(_ name: String, _ products: [String]) -> Target {
  .executableTarget(
    name: name,
    dependencies: [.product(name: "Benchmark", package: "benchmark")]
      + products.map { .product(name: $0, package: "yoloface") },
    path: name, plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
}

// A package of its own, so that its dependencies never reach a user of yoloface.
let package = Package(
  name: "yoloface-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "yoloface", path: ".."),
    // The traits would add code to every allocation, retain and release.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    benchmarks("KernelBenchmarks", ["YOLOFaceInference", "YOLOFaceKernels"]),
    benchmarks("EndToEndBenchmarks", ["YOLOFace"]),
    .executableTarget(
      name: "count-runs",
      dependencies: [
        .product(name: "YOLOFaceInference", package: "yoloface"),
        .product(name: "YOLOFaceNCNN", package: "yoloface"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
