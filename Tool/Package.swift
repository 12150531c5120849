// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// The tests run beside the tool, in release builds.
let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"])]
/// Optimises arithmetic in debug builds too.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O", "-enable-testing"])]

/// For what is compiled alone, after everything else: all processors share its files.
func lastOfAll(_ optimisation: String) -> [SwiftSetting] {
  [
    .unsafeFlags([
      optimisation, "-no-whole-module-optimization", "-enable-batch-mode", "-enable-testing",
    ])
  ]
}

/// A module of the engine.
func engine(_ name: String) -> Target.Dependency { .product(name: name, package: "yoloface") }

/// Tests run against the release build, and are not themselves worth optimising.
func tests(
  _ name: String, _ dependencies: Target.Dependency..., exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude,
    swiftSettings: [.unsafeFlags(["-Onone"])])
}

/// The engine's own tests, in the release build that the tool consists of: one build, and one run, prove all.
func engineTests(_ name: String, _ modules: String..., exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: modules.map(engine) + ["TestSupport"], path: "Tests/Engine/\(name)",
    exclude: exclude, swiftSettings: [.unsafeFlags(["-Onone"])])
}

// A package of its own, so that its dependencies never reach users of the engine.
let package = Package(
  name: "yoloface-tool",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "yoloface", targets: ["Main"]),
    .library(name: "FaceReport", targets: ["FaceReport"]),
    .library(name: "FaceEvaluation", targets: ["FaceEvaluation"]),
    .library(name: "Quantisation", targets: ["Quantisation"]),
    .library(name: "Films", targets: ["Films"]),
    .library(name: "Explanation", targets: ["Explanation"]),
  ],
  traits: [
    .trait(name: "JPEG", description: "Reads JPEG too. Needs libjpeg-turbo's development package."),
    .trait(name: "WebP", description: "Reads WebP too. Needs libwebp's development package."),
  ],
  dependencies: [
    .package(
      name: "yoloface", path: "..",
      traits: [
        .defaults,
        .trait(name: "JPEG", condition: .when(traits: ["JPEG"])),
        .trait(name: "WebP", condition: .when(traits: ["WebP"])),
      ]),
    // The documentation shows its help texts, whose layout may change with a minor version.
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    // For `swift package generate-documentation` only: no target uses it.
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", .upToNextMinor(from: "1.5.0")),
  ],
  targets: [
    .target(name: "Formatting"),
    .target(
      name: "FileSystem", dependencies: [engine("Files"), engine("LibC")], swiftSettings: testable),
    .target(name: "XML", dependencies: [engine("Untrusted")]),
    .target(
      name: "FaceReport",
      dependencies: [
        engine("FaceAnalysis"), engine("FaceDecoding"), engine("YOLOFace"), engine("Untrusted"),
        "Formatting", "XML",
      ],
      swiftSettings: testable),
    .target(
      name: "FaceEvaluation",
      dependencies: [engine("FaceDecoding"), engine("Untrusted"), "Formatting", "XML"],
      swiftSettings: optimised),
    .target(
      name: "Quantisation", dependencies: [engine("Inference"), engine("NCNN")],
      swiftSettings: optimised),
    .target(
      name: "Films",
      dependencies: [
        engine("FaceAnalysis"), engine("Files"), engine("LibC"), engine("Raster"),
        engine("Untrusted"), "FileSystem",
      ],
      swiftSettings: testable),
    .target(
      name: "Explanation",
      dependencies: [
        engine("YOLOFace"), engine("Inference"), engine("NCNN"), engine("Files"), "Formatting",
      ],
      exclude: ["Engine", "Page", "Playground"],
      swiftSettings: lastOfAll("-O"), plugins: ["EmbedPage"]),
    .executableTarget(name: "embed-page"),
    .plugin(name: "EmbedPage", capability: .buildTool(), dependencies: ["embed-page"]),
    .target(
      name: "YOLOFaceTool",
      dependencies: [
        engine("Inference"), engine("YOLOFace"), engine("NCNN"), engine("Files"), engine("LibC"),
        engine("Untrusted"), "Explanation", "Quantisation", "FaceEvaluation", "FaceReport",
        "FileSystem",
        "Films", "Formatting", "XML",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // The work is done in the modules below it, and its options take long to optimise: only Scripts/package does.
      swiftSettings: lastOfAll(Context.environment["YOLOFACE_OPTIMISATION"] ?? "-Onone")),
    // The product is yoloface; a module of that name would collide with YOLOFace on case-insensitive file
    // systems. Linked statically, it runs where Swift's runtime is not installed. Modules built with SwiftPM's
    // own option for that would not link with Swift Testing; those built without it do not name the two
    // libraries that Foundation's static one needs.
    .executableTarget(
      name: "Main", dependencies: ["YOLOFaceTool"],
      linkerSettings: [
        .unsafeFlags(
          ["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims"],
          .when(platforms: [.linux], configuration: .release))
      ]),
    .executableTarget(
      name: "draw-pictures",
      dependencies: ["Inference", "NCNN", "YOLOFace"].map(engine),
      swiftSettings: optimised),
    .target(
      name: "TestSupport",
      dependencies: ["FaceAnalysis", "FaceDecoding", "Geometry", "NCNN"].map(engine),
      path: "Tests/Engine/TestSupport"),
    .target(name: "FilmSupport", dependencies: ["TestSupport"], path: "Tests/FilmSupport"),
    engineTests("UntrustedTests", "Untrusted"),
    engineTests("FilesTests", "Files"),
    engineTests("GeometryTests", "Geometry"),
    engineTests("RasterTests", "Raster", "Untrusted", exclude: ["JPEG/Fixtures", "WebP/Fixtures"]),
    engineTests("FaceDecodingTests", "FaceDecoding"),
    engineTests("FaceAnalysisTests", "FaceAnalysis", "LibC"),
    engineTests("NCNNTests", "NCNN", "Files", "Untrusted", exclude: ["Hostile"]),
    engineTests("KernelsTests", "Kernels", "Inference"),
    engineTests("InferenceTests", "Inference", "Kernels", "NCNN", exclude: ["Fixtures"]),
    engineTests("YOLOFaceTests", "YOLOFace", "Inference", "Kernels", exclude: ["Fixtures"]),
    tests("FormattingTests", "Formatting"),
    tests("FileSystemTests", "FileSystem", engine("Files")),
    tests("XMLTests", "XML"),
    tests("FaceReportTests", "FaceReport", "Formatting"),
    tests(
      "FaceEvaluationTests", "FaceEvaluation", engine("Untrusted"), exclude: ["Fixtures"]),
    tests("QuantisationTests", "Quantisation"),
    tests("FilmsTests", "Films", "FilmSupport"),
    tests("ExplanationTests", "Explanation", "FaceEvaluation"),
    tests("YOLOFaceToolTests", "YOLOFaceTool", "FilmSupport", "XML", engine("Untrusted")),
    tests("DocumentationTests"),
  ],
  swiftLanguageModes: [.v6]
)
