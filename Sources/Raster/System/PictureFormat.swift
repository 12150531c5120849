/// The format of a file, recognised by its first bytes. The raw values name it in messages.
enum PictureFormat: String {
  case empty = "an empty file"
  case png = "PNG"
  case damagedPNG = "a PNG whose signature was damaged, as by a text-mode transfer"
  case jpeg = "JPEG"
  case jpegXL = "JPEG XL"
  case webP = "WebP"
  case gif = "GIF"
  case bmp = "BMP"
  case tiff = "TIFF"
  case heic = "HEIC"
  case avif = "AVIF"
  case isoMedia = "an ISO media file, such as MP4"
  case pdf = "PDF"

  /// The format that the bytes begin with; nil where it is none of these.
  init?(of bytes: some Collection<UInt8>) {
    func has(_ signature: String, at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: signature.unicodeScalars.map { UInt8($0.value) })
    }
    if bytes.isEmpty {
      self = .empty
    } else if has("\u{89}PNG\r\n\u{1A}\n") {
      self = .png
    } else if has("PNG", at: 1) {
      self = .damagedPNG
    } else if has("\u{FF}\u{D8}\u{FF}") {
      self = .jpeg
    } else if has("\u{FF}\u{0A}") || has("\0\0\0\u{0C}JXL ") {
      self = .jpegXL
    } else if has("RIFF") && has("WEBP", at: 8) {
      self = .webP
    } else if has("GIF8") {
      self = .gif
    } else if has("BM") {
      self = .bmp
    } else if has("II*\0") || has("MM\0*") {
      self = .tiff
    } else if has("ftyp", at: 4) {
      // ISO/IEC 14496-12, 4.3: the major brand follows; these are of ISO/IEC 23008-12 and of AVIF.
      if ["avif", "avis"].contains(where: { has($0, at: 8) }) {
        self = .avif
      } else if ["heic", "heix", "hevc", "mif1"].contains(where: { has($0, at: 8) }) {
        self = .heic
      } else {
        self = .isoMedia
      }
    } else if has("%PDF-") {
      self = .pdf
    } else {
      return nil
    }
  }
}
