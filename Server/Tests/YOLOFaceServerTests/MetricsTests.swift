// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceServer

@Suite struct MetricsTests {
  @Test func writesPrometheusText() {
    let metrics = Metrics()
    for _ in 0..<4 { metrics.begin() }
    metrics.end(path: "/detect", status: 200)
    metrics.end(path: "/detect", status: 200)
    metrics.end(path: "/../etc/passwd", status: 404)
    metrics.received(bytes: 1000)
    metrics.received(bytes: 24)
    metrics.found(faces: 2, pixels: 300, time: .milliseconds(5))
    metrics.found(faces: 0, pixels: 12, time: .milliseconds(245))
    metrics.found(faces: 1, pixels: 1, time: .seconds(20))
    let bounds = "0.005 0.01 0.025 0.05 0.1 0.25 0.5 1.0 2.5 5.0 10.0 +Inf".split(separator: " ")
    let buckets = zip(bounds, [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3]).map {
      "yoloface_detect_seconds_bucket{le=\"\($0)\"} \($1)"
    }
    #expect(
      metrics.text == """
        # HELP yoloface_requests_total Requests answered.
        # TYPE yoloface_requests_total counter
        yoloface_requests_total{path="/detect",status="200"} 2
        yoloface_requests_total{path="other",status="404"} 1
        # HELP yoloface_requests_in_flight Requests being answered.
        # TYPE yoloface_requests_in_flight gauge
        yoloface_requests_in_flight 1
        # HELP yoloface_detect_seconds From the head of a request to its faces.
        # TYPE yoloface_detect_seconds histogram
        \(buckets.joined(separator: "\n"))
        yoloface_detect_seconds_sum 20.25
        yoloface_detect_seconds_count 3
        # HELP yoloface_received_bytes_total Bytes of pictures received.
        # TYPE yoloface_received_bytes_total counter
        yoloface_received_bytes_total 1024
        # HELP yoloface_pixels_total Pixels of pictures searched.
        # TYPE yoloface_pixels_total counter
        yoloface_pixels_total 313
        # HELP yoloface_faces_total Faces found.
        # TYPE yoloface_faces_total counter
        yoloface_faces_total 3

        """)
  }
}
