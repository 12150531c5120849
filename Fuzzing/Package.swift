// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since its executable links only with libFuzzer: see Scripts/fuzz. The tests
// of yoloface also compile Targets, and run the corpus through it.
let package = Package(
  name: "yoloface-fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "yoloface", path: "..")],
  targets: [
    .systemLibrary(name: "LibFuzzer", path: "LibFuzzer"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "FaceAnalysis", "FaceDecoding", "FaceEvaluation", "FaceReport", "Inference", "Kernels",
        "NCNN",
        "Raster",
      ].map { .product(name: $0, package: "yoloface") },
      path: "Targets"),
    .executableTarget(name: "Fuzz", dependencies: ["FuzzTargets", "LibFuzzer"], path: "Fuzz"),
  ],
  swiftLanguageModes: [.v6]
)
