// swift-tools-version: 6.2
import PackageDescription

/// The fuzzers: each an executable that hands what libFuzzer makes up to the function of the same
/// name in FuzzTargets.
let fuzzers: [Target] = [
  "FuzzDecoding", "FuzzModel", "FuzzParam", "FuzzPicture", "FuzzTensor", "FuzzTruth",
].map { name in
  .executableTarget(
    name: name, dependencies: ["FuzzTargets", "LibFuzzer"], path: name)
}

// A package of its own, since its executables link with libFuzzer only: see Scripts/fuzz. The tests
// of yoloface compile Targets, too, and run the corpus through it.
let package = Package(
  name: "yoloface-fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "yoloface", path: "..")],
  targets: [
    .systemLibrary(name: "LibFuzzer", path: "LibFuzzer"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "FaceAnalysis", "FaceDecoding", "FaceEvaluation", "Inference", "Kernels", "NCNN", "Raster",
      ].map { .product(name: $0, package: "yoloface") },
      path: "Targets"),
  ] + fuzzers,
  swiftLanguageModes: [.v6]
)
