// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceAnalysis
import YOLOFaceDecoding

struct GuidanceSessionTests {
  /// A session on pictures of 640 × 480, whose circle has a diameter of 300.
  private static let circle = CircularMask(center: Point2D(x: 320, y: 240), radius: 150)
  private static let view = try! ViewSpace(imageSize: Size2D(width: 640, height: 480))

  /// A frontal face whose box is `size` high and centred at (x, y).
  private static func face(
    _ x: Double = 320, _ y: Double = 240, size: Double = 200,
    pose: HeadPose = HeadPose(roll: 0, yaw: 0, pitch: 0)
  ) -> Face {
    let landmarks = SimulatedHead.fitted.landmarks(pose, eyeDistance: 0.35 * size)
      .map { Point2D(x: $0.x - 320 + x, y: $0.y - 240 + y) }
    return Face(
      score: 0.9,
      box: Box(center: Point2D(x: x, y: y), size: Size2D(width: 0.75 * size, height: size)),
      landmarks: landmarks)
  }

  private static func session(
    goodFrames: Int = 3, timeLimit: Duration? = .seconds(10)
  ) -> GuidanceSession {
    var options = GuidanceOptions()
    options.goodFrames = goodFrames
    options.timeLimit = timeLimit
    return GuidanceSession(circle: circle, in: view, options: options)
  }

  /// The verdict on the last of these faces, one a second.
  private func verdict(
    _ faces: [Face], options: GuidanceOptions = GuidanceOptions()
  ) -> GuidanceVerdict? {
    var session = GuidanceSession(circle: Self.circle, in: Self.view, options: options)
    session.begin(at: .zero)
    return faces.enumerated().map { session.update([$1], at: .seconds($0)) }.last
  }

  /// A frame and what is expected after it.
  private typealias Step = (
    seconds: Double, faces: [Face], verdict: GuidanceVerdict, state: GuidanceSession.State,
    goodFrames: Int
  )

  private func walk(_ session: inout GuidanceSession, _ steps: [Step]) {
    for step in steps {
      let comment: Comment = "at \(step.seconds) s"
      #expect(session.update(step.faces, at: .seconds(step.seconds)) == step.verdict, comment)
      #expect(session.verdict == step.verdict && session.state == step.state, comment)
      #expect(session.goodFrames == step.goodFrames, comment)
    }
  }

  /// Every verdict, every state but the time-out.
  @Test func walksToTheFinish() {
    let good = Self.face()
    var session = Self.session()
    #expect(session.state == .waiting && session.verdict == nil)
    // Before the session begins, frames are judged but do not count.
    walk(&session, [(0, [good], .success, .waiting, 0)])
    session.begin(at: .seconds(1))
    #expect(session.state == .start)
    walk(
      &session,
      [
        (1.0, [], .noFace, .start, 0),
        (1.1, [good, Self.face(500, 100, size: 60)], .severalFaces, .start, 0),
        // Back after leaving: no earlier frame says how the face moved.
        (1.9, [], .noFace, .start, 0),
        (2.0, [good], .success, .checking, 1),
        // 11 pixels are more than 0.05 of 200.
        (2.1, [Self.face(331)], .holdStill, .start, 0),
        (2.2, [Self.face(340)], .success, .checking, 1),
        (2.3, [Self.face(340, 231)], .success, .checking, 2),
        (2.4, [], .noFace, .start, 0),
        (2.5, [good], .success, .checking, 1),
        (2.6, [good], .success, .checking, 2),
        (2.7, [good], .success, .finish, 3),
        // Later frames change nothing.
        (2.8, [], .noFace, .finish, 3),
        (99, [good], .success, .finish, 3),
      ])
    #expect(session.isOver)
    session.begin(at: .seconds(100))
    walk(&session, [(100, [good], .success, .checking, 1)])
    #expect(!session.isOver)
  }

  private static func turned(_ roll: Double, _ yaw: Double, _ pitch: Double) -> Face {
    face(pose: HeadPose(roll: roll, yaw: yaw, pitch: pitch))
  }

  /// 0.3 of the radius is 45 pixels; 0.5 of the diameter is 150 pixels, 0.95 are 285. Values exactly
  /// on the bounds are good.
  @Test(
    arguments: [
      (face(365), .success), (face(366), .outsideCircle), (face(320, 195), .success),
      (face(320, 194), .outsideCircle), (face(size: 150), .success), (face(size: 149), .tooSmall),
      (face(size: 285), .success), (face(size: 286), .tooLarge),
      (turned(24.9, -24.9, 0), .success), (turned(-24.9, 0, 24.9), .success),
      (turned(0, 26, 0), .turnedAway), (turned(0, 0, -26), .turnedAway),
      (turned(26, 0, 0), .turnedAway),
    ] as [(Face, GuidanceVerdict)])
  func judges(face: Face, expected: GuidanceVerdict) {
    #expect(verdict([face]) == expected)
  }

  /// Bounds other than the defaults, for a radius of 150, a diameter of 300, and a face of 200.
  @Test(
    arguments: [
      ([face(409)], .success), ([face(411)], .outsideCircle), ([face(size: 179)], .tooSmall),
      ([face(size: 181)], .success), ([face(size: 211)], .tooLarge),
      ([turned(0, 9.5, 0)], .success), ([turned(0, 10.5, 0)], .turnedAway),
      ([face(270), face(365)], .success), ([face(265), face(370)], .holdStill),
    ] as [([Face], GuidanceVerdict)])
  func followsItsOptions(faces: [Face], expected: GuidanceVerdict) {
    var options = GuidanceOptions()
    (options.maximumOffset, options.sizes) = (0.6, 0.6...0.7)
    (options.maximumAngle, options.maximumMovement) = (10, 0.5)
    #expect(verdict(faces, options: options) == expected)
  }

  /// A face that has landmarks only from the second frame on has not moved.
  @Test func landmarksThatAppearAreNoMovement() {
    var bare = Self.face()
    bare.landmarks = nil
    #expect(verdict([bare]) == .turnedAway)
    #expect(verdict([bare, Self.face()]) == .success)
  }

  @Test func timesOutByTheInjectedClock() {
    let good = Self.face()
    var session = Self.session()
    // Time before the session begins does not count.
    session.advance(to: .seconds(100))
    #expect(session.state == .waiting)
    session.begin(at: .seconds(100))
    walk(
      &session,
      [
        (109.998, [good], .success, .checking, 1),
        (109.999, [good], .success, .checking, 2),
        // It would have been the third good frame.
        (110, [good], .success, .timeOut, 2),
        (110.1, [good], .success, .timeOut, 2),
      ])
    #expect(session.isOver)
    #expect(session.tip == "Time is up, please try again")
    session.begin(at: .seconds(200))
    session.advance(to: .seconds(209.9))
    #expect(session.state == .start)
    session.advance(to: .seconds(210))
    #expect(session.state == .timeOut, "without a frame")
  }

  @Test func neverTimesOutWithoutALimit() {
    var session = Self.session(timeLimit: nil)
    session.begin(at: .zero)
    walk(&session, [(1e9, [], .noFace, .start, 0)])
  }

  @Test(arguments: [(1, 1), (0, 1), (-5, 1), (2, 2)])
  func finishesAfterEnoughGoodFrames(goodFrames: Int, expected: Int) {
    var session = Self.session(goodFrames: goodFrames)
    session.begin(at: .zero)
    for count in 1...expected {
      #expect(!session.isOver)
      session.update([Self.face()], at: .zero)
      #expect((session.state == .finish) == (count == expected))
    }
  }

  @Test func givesTips() {
    var session = Self.session(goodFrames: 1)
    #expect(session.tip == "Please get ready")
    session.begin(at: .zero)
    for (faces, tip) in [
      ([], "Please put your face into the frame"),
      ([Self.face(size: 100)], "Please come closer"), ([Self.face()], "Please hold still"),
      ([Self.face()], "Done, thank you"),
    ] {
      session.update(faces, at: .zero)
      #expect(session.tip == tip)
    }
    #expect(Set(GuidanceVerdict.allCases.map(\.tip)).count == GuidanceVerdict.allCases.count)
  }

  /// The same person and circle on a phone's screen: the picture is stored on its side and shown
  /// mirrored, 2 pixels to the point. In the stored picture the head has a roll of −90°.
  @Test func judgesWhatTheViewShows() throws {
    let view = try ViewSpace(
      imageSize: Size2D(width: 1280, height: 960), orientation: .right, isMirrored: true,
      placement: .view(Size2D(width: 480, height: 640), .aspectFill))
    let circle = CircularMask(center: Point2D(x: 200, y: 300), radius: 150)
    var session = GuidanceSession(circle: circle, in: view)
    // Upright and mirrored (960 − 400, 600), stored (600, 960 − 560).
    #expect(session.circle == CircularMask(center: Point2D(x: 600, y: 400), radius: 300))
    session.begin(at: .zero)
    #expect(session.update([view.unmap(Self.face(200, 300))], at: .zero) == .success)
    #expect(session.update([view.unmap(Self.face(100, 300))], at: .zero) == .outsideCircle)
    let lying = Self.face(200, 300, pose: HeadPose(roll: 90, yaw: 0, pitch: 0))
    #expect(session.update([view.unmap(lying)], at: .zero) == .turnedAway)
  }

  /// Hostile numbers neither pass for a good face nor trap.
  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, 0, -100])
  func hostileNumbersAreNotGood(number: Double) {
    var faces = [Face](repeating: Self.face(), count: 4)
    faces[0].box.x = number
    faces[1].box.height = number
    faces[2].box = Box(x: number, y: number, width: number, height: number)
    faces[3].landmarks = faces[3].landmarks?.map { _ in Point2D(x: number, y: number) }
    for face in faces { #expect(verdict([face]) != .success) }
    let hole = CircularMask(center: Self.circle.center, radius: number)
    for size in [0.6, 1, 1.5, 1.8] {
      var other = GuidanceSession(circle: hole, in: Self.view)
      let face = Self.face(size: size * max(1, min(abs(number), 1e3)))
      #expect(other.update([face], at: .zero) != .success)
    }
  }

  /// Its centre is where it should be, and its width is large enough.
  @Test(arguments: [0.0, -10, -100])
  func aBoxWithoutAreaIsNoFace(height: Double) {
    var face = Self.face()
    face.box = Box(center: Point2D(x: 320, y: 240), size: Size2D(width: 200, height: height))
    var session = Self.session()
    #expect(session.update([face], at: .zero) == .noFace)
    #expect(session.update([face, Self.face()], at: .zero) == .success)
  }
}
