import Files
import LibC

/// The number of processors online.
func processorCount() -> Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// The processor's name as the system reports it.
func processorName() -> String {
  #if os(Linux)
    let lines = (try? readPseudoFile("/proc/cpuinfo"))?.split(separator: "\n") ?? []
    let line = lines.first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.drop { $0 == " " } }.map(String.init)
      ?? "unknown processor"
  #else
    var size = 0
    sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0)
    var name = [CChar](repeating: 0, count: max(size, 1))
    sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0)
    return String(cString: name)
  #endif
}
