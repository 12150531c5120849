#if WebP
  import Raster
  import Testing

  struct WebPErrorTests {
    @Test func namesTheSourceAndWhatWasFound() {
      let reasons: [(WebPError.Reason, String)] = [
        (.notWebP(looksLike: "PNG"), "a.webp: not a WebP: this looks like PNG"),
        (.notWebP(looksLike: nil), "a.webp: not a WebP: its signature is missing"),
        (.animated, "a.webp: found an animation, expected a single picture"),
        (.damaged, "a.webp: found damaged or missing data, expected a whole WebP"),
      ]
      for (reason, text) in reasons {
        #expect(WebPError(source: "a.webp", reason: reason).description == text)
      }
    }
  }
#endif
