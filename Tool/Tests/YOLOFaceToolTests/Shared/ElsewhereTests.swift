// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceTool

struct ElsewhereTests {
  @Test(arguments: [
    ("http://example.com/a.png", "found an address"),
    ("RTSP://camera/1", "ffmpeg -i 'RTSP://camera/1'"),
    ("file:///tmp/a.png", "give /tmp/a.png"), ("live.M3U8", "found a list of films"),
    ("/dev/video2", "-f v4l2 -i /dev/video2"), ("1", "-f v4l2 -i /dev/video1"),
  ])
  func whatIsNoFileHasARemedy(argument: String, expected: String) {
    let remedy = remedyForNoFile(argument)
    #expect(remedy?.contains(expected) == true, "\(remedy ?? "none")")
  }

  @Test(arguments: [
    "a.png", "a:b.png", "://a", "C:/a.png", "a b://c", "-", "", "300", "/dev/fd/63",
  ])
  func otherPathsHaveNone(argument: String) {
    #expect(remedyForNoFile(argument) == nil)
  }
}
