import Foundation
import Raster
import TestSupport
import Testing

/// Headless Chromium, in which a test runs a script on a page.
///
/// The page is in a frame of the requested width, since a window cannot be narrower than 500
/// pixels. A second frame, whose document stays open, delays the outer page's load event until the
/// script is done; Chromium then prints the outer page, with the script's result in it.
enum Browser {
  struct Outcome {
    /// What the script returned.
    var result: Data
    /// What the page wrote to the console, including errors.
    var console: [String]
  }

  static let exists = executable != nil
  static let explanation: Comment = "needs Chromium or Chrome on the path"

  private static let executable: String? = {
    let application = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    return Programs.path(
      ofAny: "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
      ?? (FileManager.default.isExecutableFile(atPath: application) ? application : nil)
  }()

  /// Opens a page and runs the body of an asynchronous JavaScript function in it.
  ///
  /// - Parameters:
  ///   - script: the body of the function; it returns a value that JSON can represent.
  ///   - page: an HTML file.
  ///   - directory: a directory for temporary files.
  static func run(
    _ script: String, in page: URL, width: Int = 1280, directory: URL
  ) throws -> Outcome {
    var html = try Data(contentsOf: page)
    let end = try #require(html.range(of: Data("</body>".utf8), options: .backwards))
    let element = """
      <script>(async () => { \(script) })()
        .catch((error) => { console.error(String(error)); return null; })
        .then((value) => parent.postMessage(encodeURIComponent(JSON.stringify(value)), "*"));
      </script>
      """
    html.insert(contentsOf: Data(element.utf8), at: end.lowerBound)
    let inner = UUID().uuidString
    try html.write(to: directory.appending(path: "\(inner).html"))
    let outer = """
      <!DOCTYPE html><body><iframe id="hold"></iframe><script>
      const hold = document.getElementById("hold").contentDocument;
      hold.open();
      hold.write("waiting");
      addEventListener("message", (event) => {
        const result = document.createElement("pre");
        result.textContent = "result " + event.data + " ";
        document.body.append(result);
        hold.close();
      });
      </script><iframe src="\(inner).html" width="\(width)" height="900"></iframe></body>
      """
    let path = directory.appending(path: "\(inner).outer.html")
    try Data(outer.utf8).write(to: path)
    let (output, errors) = try launch(path, directory: directory)
    let words = output.split(separator: " ")
    let index = try #require(
      words.firstIndex { $0.hasSuffix(">result") }, "no result; the browser said: \(errors)")
    let result = try #require(words[index + 1].removingPercentEncoding)
    return Outcome(
      result: Data(result.utf8),
      console: errors.split(separator: "\n").filter { $0.contains("CONSOLE") }.map(String.init))
  }

  private static func launch(
    _ page: URL, directory: URL
  ) throws -> (output: String, errors: String) {
    TestCount.add("launches")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(executable))
    let profile = directory.appending(path: "profile")
    process.arguments = [
      "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
      "--window-size=1400,1000",
      "--user-data-dir=\(profile.path)", "--dump-dom", page.absoluteString,
    ]
    // Chromium's sandbox does not work for root, who runs many containers.
    if getuid() == 0 { process.arguments?.insert("--no-sandbox", at: 0) }
    let (output, errors) = (page.path + ".stdout", page.path + ".stderr")
    for path in [output, errors] { try Data().write(to: URL(fileURLWithPath: path)) }
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
    try process.run()
    let guardian = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: guardian)
    process.waitUntilExit()
    guardian.cancel()
    return (
      try String(contentsOfFile: output, encoding: .utf8),
      try String(contentsOfFile: errors, encoding: .utf8)
    )
  }
}

/// A face as a page and the tool report it.
struct PageFace: Decodable {
  var score: Double
  var box: Rectangle
}

/// The tool prints three decimals of a box and five of a score.
func expect(_ found: [PageFace], are expected: [PageFace]) throws {
  try #require(found.count == expected.count)
  for (face, other) in zip(found, expected) {
    #expect(abs(face.score - other.score) <= 1e-5)
    for side in [\Rectangle.x, \.y, \.width, \.height] {
      #expect(abs(face.box[keyPath: side] - other.box[keyPath: side]) <= 1e-3)
    }
  }
}

extension Tool {
  /// Makes a page and runs a script in it once its engine has started. The page may neither write
  /// to the console nor ask for anything.
  func runInPage<Result: Decodable>(
    _ script: String, _ arguments: [String], width: Int = 1280
  ) throws -> Result {
    let made = try runAll(["explain", "-o", "page.html"] + arguments)
    try #require(made.status == 0, "\(made.errors)")
    let outcome = try Browser.run(
      """
      await started;
      const until = async (isSo) => { while (!isSo()) await new Promise((done) => setTimeout(done, 10)); };
      const result = await (async () => { \(script) })();
      const requests = performance.getEntriesByType("resource").map((entry) => entry.name);
      if (requests.length > 0) console.error("requested " + requests);
      return result;
      """, in: directory.appending(path: "page.html"), width: width, directory: directory)
    #expect(outcome.console == [])
    return try JSONDecoder().decode(Result.self, from: outcome.result)
  }

  /// The faces that the tool finds with the page's arithmetic.
  func facesDetected(_ arguments: String...) throws -> [PageFace] {
    struct Detection: Decodable { var faces: [PageFace] }
    let output = try runAll(["detect", "--json", "--isa", "baseline"] + arguments).output
    return try output.decoded(as: Detection.self).faces
  }
}
