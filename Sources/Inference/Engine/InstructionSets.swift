// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceKernelsBaseline
import YOLOFaceLibC
import YOLOFaceNCNN

// A manifest knows only the machine that builds: elsewhere, these modules are missing.
#if arch(x86_64) && canImport(YOLOFaceKernelsAVX2)
  @_spi(Tool) import YOLOFaceFiles
  import YOLOFaceKernelsAVX2
  import YOLOFaceKernelsAVX512
  import YOLOFaceKernelsVNNI
#elseif arch(arm64) && canImport(YOLOFaceKernelsDotProduct)
  #if !hasFeature(Embedded)
    @_spi(Tool) import YOLOFaceFiles
  #endif
  import YOLOFaceKernelsDotProduct
#endif

extension KernelTable {
  /// The kernels that this processor and operating system can run, the fastest first.
  public static let available: [KernelTable] = {
    #if arch(x86_64) && canImport(YOLOFaceKernelsAVX2)
      let features = processorFeatures()
      var tables: [KernelTable] = []
      // The modules are compiled for the whole levels x86-64-v3 and -v4.
      let third: Set = ["avx2", "fma", "bmi1", "bmi2", "f16c"]
      let fourth = ["avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512cd"]
      if features.isSuperset(of: third.union(fourth)) {
        if features.isSuperset(of: ["avx512_vnni", "avx512vbmi"]) { tables.append(.avx512vnni) }
        tables.append(.avx512)
      }
      if features.isSuperset(of: third) { tables.append(.avx2) }
      return tables + [.baseline]
    #elseif arch(arm64) && canImport(YOLOFaceKernelsDotProduct)
      #if !hasFeature(Embedded)
        guard processorFeatures().contains("asimddp") else { return [.baseline] }
      #endif
      return [.dotProduct, .baseline]
    #else
      return [.baseline]
    #endif
  }()

  /// The environment variable that forces an instruction set by its name.
  public static let variable = "YOLOFACE_ISA"

  /// The kernels of the given name, else of the name in the environment variable unless that is
  /// empty, else the fastest. A name that none have is an error.
  public static func selected(_ name: String? = nil) throws(InferenceError) -> KernelTable {
    let forced = getenv(variable).map { String(cString: $0) } ?? ""
    guard let name = name ?? (forced.isEmpty ? nil : forced) else { return available[0] }
    guard let table = available.first(where: { $0.name == name }) else {
      let origin = name == forced ? " of \(variable)" : ""
      throw InferenceError(
        .unsupported, found: "the instruction set \(name.prefix(40))\(origin)",
        expected: available.map { $0.name }.joined(separator: ", "))
    }
    return table
  }
}

#if (canImport(YOLOFaceKernelsAVX2) || canImport(YOLOFaceKernelsDotProduct)) && !hasFeature(Embedded)
  /// The processor's features that the operating system has enabled, by Linux's names: it lists none whose
  /// registers it does not save.
  private func processorFeatures() -> Set<String> {
    #if os(Linux)
      guard let text = try? readPseudoFile("/proc/cpuinfo") else { return [] }
      let line = text.split(separator: "\n").first {
        $0.hasPrefix("flags") || $0.hasPrefix("Features")
      }
      return Set((line ?? "").split(separator: " ").map(String.init))
    #else
      let otherNames = [
        "avx2": "avx2_0", "avx512_vnni": "avx512vnni", "asimddp": "arm.FEAT_DotProd",
      ]
      let names: Set = [
        "avx2", "avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512cd", "avx512_vnni",
        "avx512vbmi", "fma", "bmi1", "bmi2", "f16c", "asimddp",
      ]
      return names.filter { name in
        var (value, size) = (Int32(0), MemoryLayout<Int32>.size)
        let other = "hw.optional.\(otherNames[name] ?? name)"
        return sysctlbyname(other, &value, &size, nil, 0) == 0 && value == 1
      }
    #endif
  }
#endif
