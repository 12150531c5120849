// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Modules of the engine, and of the tool.
let readers: [Target.Dependency] =
  [
    "YOLOFaceAnalysis", "YOLOFaceDecoding", "YOLOFaceInference", "YOLOFaceKernels", "YOLOFaceNCNN",
    "YOLOFaceRaster",
  ]
  .map { .product(name: $0, package: "yoloface") }
  + ["YOLOFaceEvaluation", "YOLOFaceReport"].map { .product(name: $0, package: "yoloface-tool") }

// A package of its own, since its executable links only with libFuzzer: see Scripts/fuzz.
let package = Package(
  name: "yoloface-fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "yoloface", path: ".."),
    .package(name: "yoloface-tool", path: "../Tool"),
  ],
  targets: [
    .systemLibrary(name: "LibFuzzer", path: "LibFuzzer"),
    .target(name: "FuzzTargets", dependencies: readers, path: "Targets"),
    .executableTarget(name: "Fuzz", dependencies: ["FuzzTargets", "LibFuzzer"], path: "Fuzz"),
    .target(name: "TestSupport", dependencies: readers, path: "Tests/TestSupport"),
    .testTarget(name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
