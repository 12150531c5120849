// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Optimises arithmetic in debug builds too, so that the tests run in minutes.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"])]
/// Lets tests see what is internal in release builds too.
let testable: [SwiftSetting] = [.unsafeFlags(["-O", "-enable-testing"])]

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
#elseif arch(arm64)
  let vectorKernels: [Target] = [
    .target(
      name: "KernelsDotProduct", dependencies: ["Kernels", "KernelsBaseline"],
      swiftSettings: optimised(march: "armv8.2-a+dotprod"))
  ]
#else
  let vectorKernels: [Target] = []
#endif

let package = Package(
  name: "yoloface",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "YOLOFace", targets: ["YOLOFace"]),
    .library(name: "FaceAnalysis", targets: ["FaceAnalysis"]),
    .library(name: "FaceDecoding", targets: ["FaceDecoding"]),
    .library(name: "Inference", targets: ["Inference"]),
    .library(name: "Kernels", targets: ["Kernels"]),
    .library(name: "NCNN", targets: ["NCNN"]),
    .library(name: "Raster", targets: ["Raster"]),
    .library(name: "Geometry", targets: ["Geometry"]),
    .library(name: "Files", targets: ["Files"]),
    .library(name: "LibC", targets: ["LibC"]),
    .library(name: "Untrusted", targets: ["Untrusted"]),
  ],
  traits: [
    .default(enabledTraits: ["EmbeddedModel"]),
    .trait(name: "EmbeddedModel", description: "Holds the default model: 1.4 MB in a program."),
    .trait(name: "JPEG", description: "Reads JPEG too. Needs libjpeg-turbo's development package."),
    .trait(name: "WebP", description: "Reads WebP too. Needs libwebp's development package."),
  ],
  targets: [
    .systemLibrary(
      name: "CPNGSystem", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    // libpng itself needs zlib, and its development package brings it.
    .target(
      name: "CPNG", dependencies: ["CPNGSystem"], linkerSettings: [.linkedLibrary("z")]),
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
    .target(name: "Untrusted"),
    .target(name: "Files", dependencies: ["LibC"], swiftSettings: testable),
    .target(name: "Geometry", swiftSettings: testable),
    .target(
      name: "Raster",
      dependencies: [
        "CPNG", "Files", "Geometry", "LibC", "Untrusted",
        .target(name: "CJPEG", condition: .when(traits: ["JPEG"])),
        .target(name: "CWebP", condition: .when(traits: ["WebP"])),
      ],
      swiftSettings: testable),
    .target(
      name: "FaceDecoding", dependencies: ["Geometry", "LibC"], swiftSettings: optimised),
    .target(
      name: "FaceAnalysis", dependencies: ["FaceDecoding", "Geometry", "LibC"],
      swiftSettings: testable),
    .target(name: "NCNN", dependencies: ["Files", "LibC", "Untrusted"], swiftSettings: testable),
    .target(name: "Kernels", swiftSettings: optimised),
    .target(name: "KernelsBaseline", dependencies: ["Kernels"], swiftSettings: optimised),
    .target(
      name: "Inference",
      dependencies: ["NCNN", "Files", "LibC", "Untrusted", "Kernels", "KernelsBaseline"]
        + vectorKernels.map { .target(name: $0.name) },
      swiftSettings: testable),
    .target(
      name: "YOLOFace",
      dependencies: [
        .target(name: "CModel", condition: .when(traits: ["EmbeddedModel"])), "FaceAnalysis",
        "FaceDecoding", "Files", "Geometry", "Inference", "Kernels", "LibC", "NCNN", "Raster",
        "Untrusted",
      ],
      swiftSettings: testable),
    .target(name: "CModel"),
    .target(
      name: "TestSupport", dependencies: ["FaceAnalysis", "FaceDecoding", "Geometry", "NCNN"],
      path: "Tests/TestSupport",
      swiftSettings: optimised),
    .testTarget(name: "UntrustedTests", dependencies: ["Untrusted", "TestSupport"]),
    .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport"]),
    .testTarget(
      name: "RasterTests",
      dependencies: ["Raster", "Files", "Geometry", "Untrusted", "TestSupport"],
      exclude: ["JPEG/Fixtures", "WebP/Fixtures"]),
    .testTarget(name: "GeometryTests", dependencies: ["Geometry", "TestSupport"]),
    .testTarget(
      name: "FaceDecodingTests", dependencies: ["FaceDecoding", "Geometry", "TestSupport"]),
    .testTarget(name: "FaceAnalysisTests", dependencies: ["FaceAnalysis", "LibC", "TestSupport"]),
    .testTarget(
      name: "NCNNTests", dependencies: ["NCNN", "Files", "Untrusted", "TestSupport"],
      exclude: ["Hostile"]),
    // Inference lists the instruction sets that the processor can run.
    .testTarget(name: "KernelsTests", dependencies: ["Kernels", "Inference", "TestSupport"]),
    .testTarget(
      name: "InferenceTests", dependencies: ["Inference", "Kernels", "NCNN", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "YOLOFaceTests",
      dependencies: ["YOLOFace", "Inference", "Kernels", "NCNN", "TestSupport"],
      exclude: ["Fixtures"]),
  ] + vectorKernels,
  swiftLanguageModes: [.v6]
)
