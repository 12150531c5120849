// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceFilms

/// Films that ffmpeg makes.
@Suite(.enabled(if: Programs.path(ofAny: "ffmpeg") != nil, "needs ffmpeg"))
struct CutDetectorTests {
  private let folder = FilmFolder()

  /// The numbers of the pictures with which scenes begin.
  private func cuts(_ graph: String) throws -> [Int] {
    try folder.ffmpeg("-f lavfi -i \(graph),format=yuv420p -frames:v 20 @film.mkv")
    let reader = try folder.reader("film.mkv")
    var detector = CutDetector()
    var (cuts, number): ([Int], Int) = ([], 0)
    while let picture = try reader.next() {
      if detector.isCut(before: picture) { cuts.append(number) }
      number += 1
    }
    #expect(number == 20)
    return cuts
  }

  /// At once, and with black between.
  @Test(arguments: [
    ("[a][b]concat", 8), ("[a]fade=out:4:4[c];[b]fade=in:0:4[d];[c][d]concat", 9),
  ])
  func aSceneBegins(join: String, expected: Int) throws {
    let found = try cuts(
      "mandelbrot=size=160x120:rate=25,trim=end_frame=8,setsar=1[a];"
        + "smptebars=size=160x120:rate=25,trim=end_frame=12[b];" + join)
    #expect(found.count == 1 && abs((found.first ?? 0) - expected) <= 2, "\(found)")
  }

  /// Something else in one place of a plain picture, and what moves over one.
  @Test func whatIsSmallCounts() throws {
    let ground = "color=gray:size=160x120:rate=25[ground];"
    let bars = "smptebars=size=40x40:rate=25,trim=end_frame=8,setsar=1[a];"
    let other = "mandelbrot=size=40x40:rate=25,trim=end_frame=12,setsar=1[b];"
    let placed = "[ground][c]overlay=x=60:y=40"
    #expect(try cuts(ground + bars + other + "[a][b]concat[c];" + placed) == [8])
    let moving = "smptebars=size=40x40:rate=25[c];[ground][c]overlay=x=20*mod(n\\,6):y=40"
    #expect(try cuts(ground + moving) == [])
  }

  @Test(arguments: [
    ("a pan", "mandelbrot=size=640x240:rate=25:end_scale=0.3,loop=-1:1,crop=160:120:x='20*n':y=60"),
    (
      "a flash",
      "mandelbrot=size=160x120:rate=25,lutyuv=y=min(255\\,val*3):enable='between(n,9,10)'"
    ),
    ("a white flash", "smptebars=size=160x120:rate=25,lutyuv=y=235:u=128:v=128:enable='eq(n,9)'"),
    ("a zoom", "mandelbrot=size=160x120:rate=25:start_scale=3:end_scale=0.1:end_pts=20"),
    ("what moves", "testsrc2=size=160x120:rate=25"),
    ("one colour", "color=red:size=160x120:rate=25"),
  ])
  func noSceneBegins(name: String, graph: String) throws {
    #expect(try cuts(graph) == [], "\(name)")
  }
}
