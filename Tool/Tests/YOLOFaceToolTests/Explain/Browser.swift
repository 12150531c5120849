// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceRaster

/// Headless Chromium, in which a test runs a script on a page.
///
/// The page is in a frame of the requested width, since a window cannot be narrower than 500
/// pixels. A second frame, whose document stays open, delays the outer page's load event until the
/// script is done; Chromium then prints the outer page, with the script's result in it.
enum Browser {
  static let exists = executable != nil
  static let explanation: Comment = "needs Chromium or Chrome on the path"

  private static let executable: String? = {
    let application = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    return Programs.path(
      ofAny: "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
      ?? (FileManager.default.isExecutableFile(atPath: application) ? application : nil)
  }()

  /// Opens a page of HTML and runs the body of an asynchronous JavaScript function in it, which returns a value
  /// that JSON can represent.
  ///
  /// - Returns: this value, and what the page wrote to the console, including errors.
  static func run(
    _ script: String, in page: URL, width: Int, directory: URL
  ) throws -> (result: String, console: [String]) {
    let (results, console) = try run(script, in: [page], width: width, directory: directory)
    return (results[0], console)
  }

  /// The same in several pages at once.
  static func run(
    _ script: String, in pages: [URL], width: Int, directory: URL
  ) throws -> (results: [String], console: [String]) {
    let frames = try pages.enumerated().map { index, page in
      try inner(script, index, page, directory: directory)
    }
    let outerName = "\(UUID().uuidString).outer.html"
    let outer = """
      <!DOCTYPE html><body><iframe id="hold"></iframe><script>
      const hold = document.getElementById("hold").contentDocument;
      hold.open();
      hold.write("waiting");
      const results = [];
      addEventListener("message", ({ data: { size, index, value }, source }) => {
        if (size) {
          const page = [...document.querySelectorAll("iframe")].find((frame) => frame.contentWindow === source);
          [page.width, page.height] = size;
          return;
        }
        results[index] = value;
        if (Object.keys(results).length < \(pages.count)) return;
        const result = document.createElement("pre");
        result.textContent = "result " + results.join(" ") + " ";
        document.body.append(result);
        hold.close();
      });
      </script>\(frames.map { "<iframe src=\"\($0)\" width=\"\(width)\" height=\"900\"></iframe>" }.joined())</body>
      """
    try Data(outer.utf8).write(to: directory.appending(path: outerName))
    let (output, errors) = try launch(
      outerName, directory: directory, seconds: 105 + 15 * pages.count)
    let words = output.split(separator: " ")
    let first = try #require(
      words.firstIndex { $0.hasSuffix(">result") }, "no result; the browser said: \(errors)")
    return (
      try words[(first + 1)...].prefix(pages.count).map {
        try #require($0.removingPercentEncoding)
      },
      errors.split(separator: "\n").filter { $0.contains("CONSOLE") }.map(String.init)
    )
  }

  /// Writes a page with the script in it, and returns its name.
  private static func inner(
    _ script: String, _ index: Int, _ page: URL, directory: URL
  ) throws -> String {
    var html = try Data(contentsOf: page)
    let end = try #require(html.range(of: Data("</body>".utf8), options: .backwards))
    let element = """
      <script>(async () => { \(script) })()
        .catch((error) => { console.error(String(error)); return null; })
        .then((value) => parent.postMessage({ index: \(index), value: encodeURIComponent(JSON.stringify(value)) }, "*"));
      </script>
      """
    html.insert(contentsOf: Data(element.utf8), at: end.lowerBound)
    let name = "\(UUID().uuidString).html"
    try html.write(to: directory.appending(path: name))
    return name
  }

  private static func launch(
    _ page: String, directory: URL, seconds: Int
  ) throws -> (output: String, errors: String) {
    TestCount.add("launches")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(executable))
    // Chromium's sandbox does not work for root, who runs many containers.
    process.arguments =
      (getuid() == 0 ? ["--no-sandbox"] : []) + [
        "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
        "--window-size=1400,1000", "--user-data-dir=\(directory.appending(path: "profile").path)",
        "--dump-dom", directory.appending(path: page).absoluteString,
      ]
    let files = ["stdout", "stderr"].map { directory.appending(path: "\(page).\($0)") }
    for file in files { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    let guardian = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: guardian)
    process.waitUntilExit()
    guardian.cancel()
    return (
      try String(contentsOf: files[0], encoding: .utf8),
      try String(contentsOf: files[1], encoding: .utf8)
    )
  }
}

/// A face as a page and the tool report it.
struct PageFace: Decodable {
  var score: Double
  var box: Box
}

/// The tool prints three decimals of a box and five of a score.
func expect(_ found: [PageFace], are expected: [PageFace]) throws {
  try #require(found.count == expected.count)
  for (face, other) in zip(found, expected) {
    #expect(abs(face.score - other.score) <= 1e-5)
    for side in [\Box.x, \.y, \.width, \.height] {
      #expect(abs(face.box[keyPath: side] - other.box[keyPath: side]) <= 1e-3)
    }
  }
}

extension Tool {
  /// A picture and a model of another family.
  static func otherModel(_ name: String) -> [String] {
    [SharedData.path("images/zidane.png")]
      + ["param", "bin"].flatMap { ["--\($0)", SharedData.path("models/more/\(name).\($0)")] }
  }

  /// Pictures and models, as arguments.
  static let explained =
    [[astronaut]]
    + (SharedData.exists
      ? [[SharedData.path("images/selfie.png")]]
        + ["scrfd_500m_kps", "ultraface_rfb_320"].map(otherModel) : [])

  /// Makes a page and runs a script in it once its engine has started. The page may neither write to the console,
  /// as an expectation of the script that fails does, nor ask for anything.
  func runInPage<Result: Decodable>(
    _ script: String, _ arguments: [String], width: Int = 1280
  ) throws -> Result {
    try runAll(["explain", "-o", "page.html"] + arguments).succeeded()
    let outcome = try Browser.run(
      Self.wrapped(script), in: directory.appending(path: "page.html"), width: width,
      directory: directory)
    #expect(outcome.console == [])
    return try outcome.result.decoded()
  }

  /// A script with what scripts need, once the page's engine has started.
  static func wrapped(_ script: String) -> String {
    """
    await started;
    const until = async (isSo) => { while (!isSo()) await new Promise((done) => setTimeout(done, 10)); };
    const expect = (found, wanted) => {
      const [seen, right] = [found, wanted].map((value) => JSON.stringify(value));
      if (seen !== right) throw new Error(`found ${seen}, expected ${right}`);
    };
    const text = (id) => byId(id).textContent;
    const input = (id, value) => {
      byId(id).value = value;
      byId(id).dispatchEvent(new Event("input", { bubbles: true }));
      return settled();
    };
    const press = (id, key) =>
      byId(id).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    /// At fractions of an element's sides.
    const point = (name, id, x, y) => {
      const { left, top, width, height } = byId(id).getBoundingClientRect();
      const place = { pointerId: 1, clientX: left + x * width, clientY: top + y * height };
      byId(id).dispatchEvent(new PointerEvent(name, place));
    };
    const resize = async (...size) => {
      parent.postMessage({ size }, "*");
      await until(() => innerWidth === size[0] && innerHeight === size[1]);
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      return settled();
    };
    const result = await (async () => { \(script) })();
    const requests = performance.getEntriesByType("resource").map((entry) => entry.name);
    if (requests.length > 0) console.error("requested " + requests);
    return result;
    """
  }

  /// Makes a page and runs a script of expectations in it.
  func checkPage(_ script: String, _ arguments: [String], width: Int = 1280) throws {
    #expect(try runInPage(script + "\nreturn true;", arguments, width: width))
  }

  /// The faces that the tool finds with the page's arithmetic.
  func facesDetected(_ arguments: [String]) throws -> [PageFace] {
    struct Detection: Decodable { var faces: [PageFace] }
    let run = try runAll(["detect", "--json", "--isa", "baseline"] + arguments)
    return try run.output.decoded(as: Detection.self).faces
  }
}
