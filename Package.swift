// swift-tools-version: 6.2
import PackageDescription

/// Arithmetic is optimised in debug builds too, so that the tests run in minutes.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"])]

let package = Package(
  name: "yoloface",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "YOLOFace", targets: ["YOLOFace"]),
    .library(name: "NCNN", targets: ["NCNN"]),
    .library(name: "FaceDecoding", targets: ["FaceDecoding"]),
    .executable(name: "yoloface", targets: ["YOLOFaceTool"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    .systemLibrary(
      name: "CPNGSystem", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .target(name: "CPNG", dependencies: ["CPNGSystem"]),
    .target(name: "Files"),
    .target(name: "Raster", dependencies: ["CPNG", "Files"], swiftSettings: optimised),
    .target(name: "FaceDecoding", swiftSettings: optimised),
    .target(name: "NCNN", dependencies: ["Files"], swiftSettings: optimised),
    .target(name: "Inference", dependencies: ["NCNN"], swiftSettings: optimised),
    .target(
      name: "YOLOFace", dependencies: ["FaceDecoding", "Inference", "Raster"],
      swiftSettings: optimised, plugins: ["EmbedModel"]),
    // The product is yoloface; a module of that name would collide with YOLOFace where file names
    // ignore case.
    .executableTarget(
      name: "YOLOFaceTool",
      dependencies: [
        "YOLOFace", "Inference", "Files",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(name: "embed-model"),
    .plugin(name: "EmbedModel", capability: .buildTool(), dependencies: ["embed-model"]),
    .target(name: "TestSupport", dependencies: ["FaceDecoding"], path: "Tests/TestSupport"),
    .testTarget(name: "FilesTests", dependencies: ["Files"]),
    .testTarget(name: "RasterTests", dependencies: ["Raster", "Files", "TestSupport"]),
    .testTarget(name: "FaceDecodingTests", dependencies: ["FaceDecoding", "TestSupport"]),
    .testTarget(
      name: "NCNNTests", dependencies: ["NCNN", "Files", "TestSupport"], exclude: ["Hostile"]),
    .testTarget(
      name: "InferenceTests", dependencies: ["Inference", "NCNN", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "YOLOFaceTests", dependencies: ["YOLOFace", "NCNN", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "YOLOFaceToolTests", dependencies: ["YOLOFaceTool", "Inference", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
