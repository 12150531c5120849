// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Optimises arithmetic in debug builds too, so that the tests run in minutes.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"])]
/// Lets tests see what is internal in release builds too.
let testable: [SwiftSetting] = [.unsafeFlags(["-O", "-enable-testing"])]

/// Optimises for one instruction set; only processors that have it may run the result.
func optimized(march: String, _ extensions: String...) -> [SwiftSetting] {
  [.unsafeFlags(["-O", "-Xcc", "-march=\(march)"] + extensions.flatMap { ["-Xcc", $0] })]
}

#if arch(x86_64)
  let vectorKernels: [Target] = [
    .target(
      name: "YOLOFaceKernelsAVX2", dependencies: ["YOLOFaceKernels"], path: "Sources/KernelsAVX2",
      swiftSettings: optimized(march: "x86-64-v3")),
    .target(
      name: "YOLOFaceKernelsAVX512", dependencies: ["YOLOFaceKernels"],
      path: "Sources/KernelsAVX512",
      swiftSettings: optimized(march: "x86-64-v4")),
    .target(
      name: "YOLOFaceKernelsVNNI", dependencies: ["YOLOFaceKernels", "YOLOFaceKernelsAVX512"],
      path: "Sources/KernelsVNNI",
      swiftSettings: optimized(
        march: "x86-64-v4", "-mavx512vnni", "-mavx512vbmi")),
  ]
#elseif arch(arm64)
  let vectorKernels: [Target] = [
    .target(
      name: "YOLOFaceKernelsDotProduct",
      dependencies: ["YOLOFaceKernels", "YOLOFaceKernelsBaseline"],
      path: "Sources/KernelsDotProduct",
      swiftSettings: optimized(march: "armv8.2-a+dotprod"))
  ]
#else
  let vectorKernels: [Target] = []
#endif

let package = Package(
  name: "yoloface",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "YOLOFace", targets: ["YOLOFace"]),
    .library(name: "YOLOFaceAnalysis", targets: ["YOLOFaceAnalysis"]),
    .library(name: "YOLOFaceDecoding", targets: ["YOLOFaceDecoding"]),
    .library(name: "YOLOFaceInference", targets: ["YOLOFaceInference"]),
    .library(name: "YOLOFaceKernels", targets: ["YOLOFaceKernels"]),
    .library(name: "YOLOFaceNCNN", targets: ["YOLOFaceNCNN"]),
    .library(name: "YOLOFaceRaster", targets: ["YOLOFaceRaster"]),
    .library(name: "YOLOFaceGeometry", targets: ["YOLOFaceGeometry"]),
    .library(name: "YOLOFaceFiles", targets: ["YOLOFaceFiles"]),
    .library(name: "YOLOFaceLibC", targets: ["YOLOFaceLibC"]),
    .library(name: "YOLOFaceUntrusted", targets: ["YOLOFaceUntrusted"]),
  ],
  traits: [
    .default(enabledTraits: ["EmbeddedModel", "PNG"]),
    .trait(name: "EmbeddedModel", description: "Holds the default model: 1.4 MB in a program."),
    .trait(
      name: "PNG", description: "Reads and writes PNG. Needs libpng's development package."),
    .trait(name: "JPEG", description: "Reads JPEG too. Needs libjpeg-turbo's development package."),
    .trait(name: "WebP", description: "Reads WebP too. Needs libwebp's development package."),
  ],
  targets: [
    .systemLibrary(
      name: "CYOLOFacePNGSystem", path: "Sources/CPNGSystem", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    // libpng itself needs zlib, and its development package brings it.
    .target(
      name: "CYOLOFacePNG",
      dependencies: [.target(name: "CYOLOFacePNGSystem", condition: .when(traits: ["PNG"]))],
      path: "Sources/CPNG",
      cSettings: [.define("PNG", .when(traits: ["PNG"]))],
      linkerSettings: [.linkedLibrary("z", .when(traits: ["PNG"]))]),
    .systemLibrary(
      name: "CYOLOFaceJPEGSystem", path: "Sources/CJPEGSystem", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .target(
      name: "CYOLOFaceJPEG",
      dependencies: [.target(name: "CYOLOFaceJPEGSystem", condition: .when(traits: ["JPEG"]))],
      path: "Sources/CJPEG",
      cSettings: [.define("JPEG", .when(traits: ["JPEG"]))]),
    .systemLibrary(
      name: "CYOLOFaceWebPSystem", path: "Sources/CWebPSystem", pkgConfig: "libwebp",
      providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
    .target(
      name: "CYOLOFaceWebP",
      dependencies: [.target(name: "CYOLOFaceWebPSystem", condition: .when(traits: ["WebP"]))],
      path: "Sources/CWebP",
      cSettings: [.define("WEBP", .when(traits: ["WebP"]))]),
    .target(name: "YOLOFaceLibC", path: "Sources/LibC"),
    .target(name: "YOLOFaceUntrusted", path: "Sources/Untrusted"),
    .target(
      name: "YOLOFaceFiles", dependencies: ["YOLOFaceLibC"], path: "Sources/Files",
      swiftSettings: testable),
    .target(name: "YOLOFaceGeometry", path: "Sources/Geometry", swiftSettings: testable),
    .target(
      name: "YOLOFaceRaster",
      dependencies: [
        "YOLOFaceFiles", "YOLOFaceGeometry", "YOLOFaceLibC", "YOLOFaceUntrusted",
        .target(name: "CYOLOFacePNG", condition: .when(traits: ["PNG"])),
        .target(name: "CYOLOFaceJPEG", condition: .when(traits: ["JPEG"])),
        .target(name: "CYOLOFaceWebP", condition: .when(traits: ["WebP"])),
      ],
      path: "Sources/Raster",
      swiftSettings: testable),
    .target(
      name: "YOLOFaceDecoding", dependencies: ["YOLOFaceGeometry", "YOLOFaceLibC"],
      path: "Sources/FaceDecoding", swiftSettings: optimized),
    .target(
      name: "YOLOFaceAnalysis",
      dependencies: ["YOLOFaceDecoding", "YOLOFaceGeometry", "YOLOFaceLibC"],
      path: "Sources/FaceAnalysis",
      swiftSettings: testable),
    .target(
      name: "YOLOFaceNCNN", dependencies: ["YOLOFaceFiles", "YOLOFaceLibC", "YOLOFaceUntrusted"],
      path: "Sources/NCNN", swiftSettings: testable),
    .target(name: "YOLOFaceKernels", path: "Sources/Kernels", swiftSettings: optimized),
    .target(
      name: "YOLOFaceKernelsBaseline", dependencies: ["YOLOFaceKernels"],
      path: "Sources/KernelsBaseline", swiftSettings: optimized),
    .target(
      name: "YOLOFaceInference",
      dependencies: [
        "YOLOFaceNCNN", "YOLOFaceFiles", "YOLOFaceLibC", "YOLOFaceUntrusted", "YOLOFaceKernels",
        "YOLOFaceKernelsBaseline",
      ]
        + vectorKernels.map { .target(name: $0.name) },
      path: "Sources/Inference",
      swiftSettings: testable),
    .target(
      name: "YOLOFace",
      dependencies: [
        .target(name: "CYOLOFaceModel", condition: .when(traits: ["EmbeddedModel"])),
        "YOLOFaceAnalysis",
        "YOLOFaceDecoding", "YOLOFaceFiles", "YOLOFaceGeometry", "YOLOFaceInference",
        "YOLOFaceKernels", "YOLOFaceLibC", "YOLOFaceNCNN", "YOLOFaceRaster",
        "YOLOFaceUntrusted",
      ],
      swiftSettings: testable),
    .target(name: "CYOLOFaceModel", path: "Sources/CModel"),
    .target(
      name: "TestSupport",
      dependencies: ["YOLOFaceAnalysis", "YOLOFaceDecoding", "YOLOFaceGeometry", "YOLOFaceNCNN"],
      path: "Tests/TestSupport",
      swiftSettings: optimized),
    .testTarget(name: "UntrustedTests", dependencies: ["YOLOFaceUntrusted", "TestSupport"]),
    .testTarget(name: "FilesTests", dependencies: ["YOLOFaceFiles", "TestSupport"]),
    .testTarget(
      name: "RasterTests",
      dependencies: [
        "YOLOFaceRaster", "YOLOFaceFiles", "YOLOFaceGeometry", "YOLOFaceUntrusted", "TestSupport",
      ],
      exclude: ["JPEG/Fixtures", "WebP/Fixtures"]),
    .testTarget(name: "GeometryTests", dependencies: ["YOLOFaceGeometry", "TestSupport"]),
    .testTarget(
      name: "FaceDecodingTests",
      dependencies: ["YOLOFaceDecoding", "YOLOFaceGeometry", "TestSupport"]),
    .testTarget(
      name: "FaceAnalysisTests", dependencies: ["YOLOFaceAnalysis", "YOLOFaceLibC", "TestSupport"]),
    .testTarget(
      name: "NCNNTests",
      dependencies: ["YOLOFaceNCNN", "YOLOFaceFiles", "YOLOFaceUntrusted", "TestSupport"],
      exclude: ["Hostile"]),
    // Inference lists the instruction sets that the processor can run.
    .testTarget(
      name: "KernelsTests", dependencies: ["YOLOFaceKernels", "YOLOFaceInference", "TestSupport"]),
    .testTarget(
      name: "InferenceTests",
      dependencies: ["YOLOFaceInference", "YOLOFaceKernels", "YOLOFaceNCNN", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "YOLOFaceTests",
      dependencies: [
        "YOLOFace", "YOLOFaceInference", "YOLOFaceKernels", "YOLOFaceNCNN", "TestSupport",
      ],
      exclude: ["Fixtures"]),
  ] + vectorKernels,
  swiftLanguageModes: [.v6]
)
