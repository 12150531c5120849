// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The library is for programs without Swift: a release holds Swift's runtime, as the tool does, and of its symbols
// only those of the header can be seen.
let package = Package(
  name: "yoloface-c",
  platforms: [.macOS(.v15)],
  products: [.library(name: "yoloface", type: .dynamic, targets: ["Library"])],
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
      ])
  ],
  targets: [
    .target(name: "Header"),
    .target(
      name: "Library",
      dependencies: ["Header"]
        + ["YOLOFace", "YOLOFaceInference", "YOLOFaceLibC", "YOLOFaceNCNN"].map {
          .product(name: $0, package: "yoloface")
        },
      linkerSettings: [
        .unsafeFlags(
          [
            "-use-ld=lld", "-Xlinker", "--no-undefined",
            "-Xlinker", "--version-script=\(Context.packageDirectory)/exports",
            // YOLOFACE_API of the header.
            "-Xlinker", "-soname=libyoloface.so.1",
          ], .when(platforms: [.linux])),
        .unsafeFlags(
          ["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims"],
          .when(platforms: [.linux], configuration: .release)),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
