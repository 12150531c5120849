// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// The tests run beside the tool, in release builds.
let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"])]
/// Optimises arithmetic in debug builds too.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O", "-enable-testing"])]

/// For what is compiled alone, after everything else: all processors share its files.
func lastOfAll(_ optimization: String) -> [SwiftSetting] {
  [
    .unsafeFlags([
      optimization, "-no-whole-module-optimization", "-enable-batch-mode", "-enable-testing",
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
    .executable(name: "yoloface", targets: ["YOLOFaceMain"]),
    .library(name: "YOLOFaceReport", targets: ["YOLOFaceReport"]),
    .library(name: "YOLOFaceEvaluation", targets: ["YOLOFaceEvaluation"]),
    .library(name: "YOLOFaceQuantization", targets: ["YOLOFaceQuantization"]),
    .library(name: "YOLOFaceFilms", targets: ["YOLOFaceFilms"]),
    .library(name: "YOLOFaceExplanation", targets: ["YOLOFaceExplanation"]),
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
    .target(
      name: "YOLOFaceFormatting", dependencies: [engine("YOLOFaceUntrusted")],
      path: "Sources/Formatting"),
    .target(
      name: "YOLOFaceFileSystem", dependencies: [engine("YOLOFaceFiles"), engine("YOLOFaceLibC")],
      path: "Sources/FileSystem", swiftSettings: testable),
    .target(name: "YOLOFaceXML", dependencies: [engine("YOLOFaceUntrusted")], path: "Sources/XML"),
    .target(
      name: "YOLOFaceReport",
      dependencies: [
        engine("YOLOFaceAnalysis"), engine("YOLOFaceDecoding"), engine("YOLOFace"),
        engine("YOLOFaceUntrusted"),
        "YOLOFaceFormatting", "YOLOFaceXML",
      ],
      path: "Sources/FaceReport",
      swiftSettings: testable),
    .target(
      name: "YOLOFaceEvaluation",
      dependencies: [
        engine("YOLOFaceDecoding"), engine("YOLOFaceUntrusted"), "YOLOFaceFormatting",
        "YOLOFaceXML",
      ],
      path: "Sources/FaceEvaluation",
      swiftSettings: optimized),
    .target(
      name: "YOLOFaceQuantization",
      dependencies: [engine("YOLOFaceInference"), engine("YOLOFaceNCNN")],
      path: "Sources/Quantization",
      swiftSettings: optimized),
    .target(
      name: "YOLOFaceFilms",
      dependencies: [
        engine("YOLOFaceAnalysis"), engine("YOLOFaceFiles"), engine("YOLOFaceLibC"),
        engine("YOLOFaceRaster"),
        engine("YOLOFaceUntrusted"), "YOLOFaceFileSystem",
      ],
      path: "Sources/Films",
      swiftSettings: testable),
    .target(
      name: "YOLOFaceExplanation",
      dependencies: [
        engine("YOLOFace"), engine("YOLOFaceInference"), engine("YOLOFaceNCNN"),
        engine("YOLOFaceFiles"), engine("YOLOFaceUntrusted"), "YOLOFaceFormatting",
      ],
      path: "Sources/Explanation",
      exclude: ["Engine", "Page", "Playground"],
      swiftSettings: lastOfAll("-O"), plugins: ["EmbedPage"]),
    .executableTarget(name: "embed-page"),
    .plugin(name: "EmbedPage", capability: .buildTool(), dependencies: ["embed-page"]),
    .target(
      name: "YOLOFaceTool",
      dependencies: [
        engine("YOLOFaceInference"), engine("YOLOFace"), engine("YOLOFaceNCNN"),
        engine("YOLOFaceFiles"), engine("YOLOFaceLibC"), engine("YOLOFaceUntrusted"),
        "YOLOFaceExplanation", "YOLOFaceQuantization", "YOLOFaceEvaluation", "YOLOFaceReport",
        "YOLOFaceFileSystem", "YOLOFaceFilms", "YOLOFaceFormatting", "YOLOFaceXML",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // The work is done in the modules below it, and its options take long to optimise: only Scripts/package does.
      swiftSettings: lastOfAll(Context.environment["YOLOFACE_OPTIMISATION"] ?? "-Onone")),
    // The product is yoloface; a module of that name would collide with YOLOFace on case-insensitive file
    // systems. Linked statically, it runs where Swift's runtime is not installed. Modules built with SwiftPM's
    // own option for that would not link with Swift Testing; those built without it do not name the two
    // libraries that Foundation's static one needs.
    .executableTarget(
      name: "YOLOFaceMain", dependencies: ["YOLOFaceTool"], path: "Sources/Main",
      linkerSettings: [
        .unsafeFlags(
          ["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims"],
          .when(platforms: [.linux], configuration: .release))
      ]),
    .executableTarget(
      name: "draw-pictures",
      dependencies: ["YOLOFaceInference", "YOLOFaceNCNN", "YOLOFace"].map(engine),
      swiftSettings: optimized),
    .target(
      name: "TestSupport",
      dependencies: ["YOLOFaceAnalysis", "YOLOFaceDecoding", "YOLOFaceGeometry", "YOLOFaceNCNN"]
        .map(engine),
      path: "Tests/Engine/TestSupport"),
    .target(name: "FilmSupport", dependencies: ["TestSupport"], path: "Tests/FilmSupport"),
    engineTests("UntrustedTests", "YOLOFaceUntrusted"),
    engineTests("FilesTests", "YOLOFaceFiles"),
    engineTests("GeometryTests", "YOLOFaceGeometry"),
    engineTests(
      "RasterTests", "YOLOFaceRaster", "YOLOFaceUntrusted",
      exclude: ["JPEG/Fixtures", "WebP/Fixtures"]),
    engineTests("FaceDecodingTests", "YOLOFaceDecoding"),
    engineTests("FaceAnalysisTests", "YOLOFaceAnalysis", "YOLOFaceLibC"),
    engineTests(
      "NCNNTests", "YOLOFaceNCNN", "YOLOFaceFiles", "YOLOFaceUntrusted", exclude: ["Hostile"]),
    engineTests("KernelsTests", "YOLOFaceKernels", "YOLOFaceInference"),
    engineTests(
      "InferenceTests", "YOLOFaceInference", "YOLOFaceKernels", "YOLOFaceNCNN",
      exclude: ["Fixtures"]),
    engineTests(
      "YOLOFaceTests", "YOLOFace", "YOLOFaceInference", "YOLOFaceKernels", exclude: ["Fixtures"]),
    tests("FormattingTests", "YOLOFaceFormatting", engine("YOLOFaceUntrusted")),
    tests("FileSystemTests", "YOLOFaceFileSystem", engine("YOLOFaceFiles")),
    tests("XMLTests", "YOLOFaceXML"),
    tests("FaceReportTests", "YOLOFaceReport", "YOLOFaceFormatting"),
    tests(
      "FaceEvaluationTests", "YOLOFaceEvaluation", engine("YOLOFaceUntrusted"),
      exclude: ["Fixtures"]),
    tests("QuantizationTests", "YOLOFaceQuantization"),
    tests("FilmsTests", "YOLOFaceFilms", "FilmSupport"),
    tests("ExplanationTests", "YOLOFaceExplanation", "YOLOFaceEvaluation"),
    tests(
      "YOLOFaceToolTests", "YOLOFaceTool", "FilmSupport", "YOLOFaceXML", engine("YOLOFaceUntrusted")
    ),
    tests("DocumentationTests"),
  ],
  swiftLanguageModes: [.v6]
)
