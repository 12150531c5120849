import CPNG

extension PNG {
  /// The version of the libpng that the program runs with.
  public static var libraryVersion: String { String(cString: cpng_library_version()) }
}
