// swift-tools-version: 6.2
import PackageDescription

/// Optimises arithmetic in debug builds too, so that the tests run in minutes.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"])]

/// Optimises for one instruction set; only processors that have it may run the result.
func optimised(march: String, _ extensions: String...) -> [SwiftSetting] {
  [.unsafeFlags(["-O", "-Xcc", "-march=\(march)"] + extensions.flatMap { ["-Xcc", $0] })]
}

#if arch(x86_64)
  let vectorKernels: [Target] = [
    .target(
      name: "KernelsAVX2", dependencies: ["Kernels"],
      swiftSettings: optimised(march: "x86-64-v3")),
    .target(
      name: "KernelsAVX512", dependencies: ["Kernels"],
      swiftSettings: optimised(march: "x86-64-v4")),
    .target(
      name: "KernelsVNNI", dependencies: ["Kernels", "KernelsAVX512"],
      swiftSettings: optimised(
        march: "x86-64-v4", "-mavx512vnni", "-mavx512vbmi")),
  ]
#else
  let vectorKernels: [Target] = []
#endif

let package = Package(
  name: "yoloface",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "YOLOFace", targets: ["YOLOFace"]),
    .library(name: "Explanation", targets: ["Explanation"]),
    .library(name: "Inference", targets: ["Inference"]),
    .library(name: "NCNN", targets: ["NCNN"]),
    .library(name: "Quantisation", targets: ["Quantisation"]),
    .library(name: "Geometry", targets: ["Geometry"]),
    .library(name: "FaceDecoding", targets: ["FaceDecoding"]),
    .library(name: "FaceAnalysis", targets: ["FaceAnalysis"]),
    .library(name: "FaceEvaluation", targets: ["FaceEvaluation"]),
    .library(name: "FaceReport", targets: ["FaceReport"]),
    .library(name: "Films", targets: ["Films"]),
    .library(name: "Kernels", targets: ["Kernels"]),
    .library(name: "Raster", targets: ["Raster"]),
    .executable(name: "yoloface", targets: ["YOLOFaceTool"]),
  ],
  traits: [
    .trait(name: "JPEG", description: "Reads JPEG too. Needs libjpeg-turbo's development package."),
    .trait(name: "WebP", description: "Reads WebP too. Needs libwebp's development package."),
  ],
  dependencies: [
    // The documentation shows its help texts, whose layout may change with a minor version.
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    // For `swift package generate-documentation` only: no target uses it.
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", .upToNextMinor(from: "1.5.0")),
  ],
  targets: [
    .systemLibrary(
      name: "CPNGSystem", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .target(name: "CPNG", dependencies: ["CPNGSystem"]),
    .systemLibrary(
      name: "CJPEGSystem", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .target(
      name: "CJPEG",
      dependencies: [.target(name: "CJPEGSystem", condition: .when(traits: ["JPEG"]))],
      cSettings: [.define("JPEG", .when(traits: ["JPEG"]))]),
    .systemLibrary(
      name: "CWebPSystem", pkgConfig: "libwebp",
      providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
    .target(
      name: "CWebP",
      dependencies: [.target(name: "CWebPSystem", condition: .when(traits: ["WebP"]))],
      cSettings: [.define("WEBP", .when(traits: ["WebP"]))]),
    .target(name: "LibC"),
    .target(name: "Formatting"),
    .target(name: "XML"),
    .target(name: "Files", dependencies: ["LibC"]),
    .target(name: "Geometry", swiftSettings: optimised),
    .target(
      name: "Raster",
      dependencies: [
        "CPNG", "Files", "Geometry", .target(name: "CJPEG", condition: .when(traits: ["JPEG"])),
        .target(name: "CWebP", condition: .when(traits: ["WebP"])),
      ],
      swiftSettings: optimised),
    .target(
      name: "FaceDecoding", dependencies: ["Geometry", "LibC"], swiftSettings: optimised),
    .target(
      name: "FaceAnalysis", dependencies: ["FaceDecoding", "Geometry", "LibC"],
      swiftSettings: optimised),
    .target(
      name: "FaceEvaluation", dependencies: ["FaceDecoding", "XML"], swiftSettings: optimised),
    .target(
      name: "FaceReport", dependencies: ["FaceAnalysis", "FaceDecoding", "Formatting", "XML"]),
    .target(name: "NCNN", dependencies: ["Files"], swiftSettings: optimised),
    .target(name: "Kernels", swiftSettings: optimised),
    .target(name: "KernelsBaseline", dependencies: ["Kernels"], swiftSettings: optimised),
    .target(
      name: "Inference",
      dependencies: ["NCNN", "Files", "LibC", "Kernels", "KernelsBaseline"]
        + vectorKernels.map { .target(name: $0.name) },
      swiftSettings: optimised),
    .target(
      name: "Quantisation", dependencies: ["Inference", "NCNN"],
      swiftSettings: optimised),
    .target(
      name: "YOLOFace",
      dependencies: [
        "FaceAnalysis", "FaceDecoding", "Files", "Geometry", "Inference", "Kernels", "LibC",
        "NCNN", "Raster",
      ],
      swiftSettings: optimised, plugins: ["EmbedModel"]),
    .target(name: "Films", dependencies: ["FaceAnalysis", "Files", "LibC", "Raster"]),
    .target(
      name: "Explanation", dependencies: ["YOLOFace", "Inference", "NCNN"],
      exclude: ["Engine", "Page", "Playground"],
      swiftSettings: optimised, plugins: ["EmbedPage"]),
    // The product is yoloface; a module of that name would collide with YOLOFace on
    // case-insensitive file systems.
    .executableTarget(
      name: "YOLOFaceTool",
      dependencies: [
        "YOLOFace", "Explanation", "FaceEvaluation", "FaceReport", "Films", "Formatting",
        "Inference", "Files", "LibC", "NCNN", "Quantisation",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // The work is done in the modules below it, and its options take long to optimise.
      swiftSettings: [.unsafeFlags(["-Onone"])]),
    .executableTarget(
      name: "draw-pictures", dependencies: ["YOLOFace", "FaceDecoding", "Inference", "NCNN"],
      swiftSettings: optimised),
    .executableTarget(name: "embed-model"),
    .plugin(name: "EmbedModel", capability: .buildTool(), dependencies: ["embed-model"]),
    .executableTarget(name: "embed-page"),
    .plugin(name: "EmbedPage", capability: .buildTool(), dependencies: ["embed-page"]),
    .target(
      name: "TestSupport", dependencies: ["FaceAnalysis", "FaceDecoding", "Geometry"],
      path: "Tests/TestSupport",
      swiftSettings: optimised),
    .testTarget(name: "FormattingTests", dependencies: ["Formatting"]),
    .testTarget(name: "XMLTests", dependencies: ["XML"]),
    .testTarget(
      name: "FilmsTests", dependencies: ["FaceAnalysis", "Films", "Raster", "TestSupport"]),
    .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport"]),
    .testTarget(
      name: "RasterTests",
      dependencies: ["Raster", "Files", "FuzzTargets", "Geometry", "TestSupport"],
      exclude: ["JPEG/Fixtures", "WebP/Fixtures"]),
    .testTarget(name: "GeometryTests", dependencies: ["Geometry", "TestSupport"]),
    .testTarget(
      name: "FaceDecodingTests", dependencies: ["FaceDecoding", "Geometry", "TestSupport"]),
    .testTarget(name: "FaceAnalysisTests", dependencies: ["FaceAnalysis", "LibC", "TestSupport"]),
    .testTarget(
      name: "FaceEvaluationTests", dependencies: ["FaceEvaluation", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "FaceReportTests", dependencies: ["FaceReport", "Formatting", "TestSupport"]),
    .testTarget(
      name: "NCNNTests", dependencies: ["NCNN", "Files", "TestSupport"], exclude: ["Hostile"]),
    // Inference lists the instruction sets that the processor can run.
    .testTarget(name: "KernelsTests", dependencies: ["Kernels", "Inference", "TestSupport"]),
    .testTarget(
      name: "InferenceTests", dependencies: ["Inference", "Kernels", "NCNN", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "QuantisationTests",
      dependencies: ["Quantisation", "Inference", "NCNN", "TestSupport"]),
    .testTarget(
      name: "YOLOFaceTests",
      dependencies: ["YOLOFace", "Inference", "Kernels", "NCNN", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "ExplanationTests",
      dependencies: ["Explanation", "FaceEvaluation", "YOLOFace", "Inference", "TestSupport"]
    ),
    .testTarget(
      name: "YOLOFaceToolTests",
      dependencies: [
        "YOLOFaceTool", "FaceDecoding", "Formatting", "Inference", "NCNN", "Raster",
        "TestSupport",
      ]),
    .testTarget(name: "DocumentationTests", dependencies: ["TestSupport"]),
    // What the fuzzers call, see Fuzzing/Package.swift; the tests call it with the fuzzers' corpus.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "FaceAnalysis", "FaceDecoding", "FaceEvaluation", "FaceReport", "Inference", "Kernels",
        "NCNN", "Raster",
      ],
      path: "Fuzzing/Targets"),
    .testTarget(name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "TestSupport"]),
  ] + vectorKernels,
  swiftLanguageModes: [.v6]
)
