// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// How a request holds its pictures: one as its body, or some as the files of a form, multipart/form-data
/// (RFC 7578, RFC 2046).
enum PictureBody: Equatable {
  case whole
  case form(boundary: String)

  /// - Throws: `Refusal` if the body's type or encoding is another.
  init(_ headers: HTTPFields) throws(Refusal) {
    if let encoding = headers[.contentEncoding], encoding.lowercased() != "identity" {
      throw Refusal(
        .unsupportedMediaType,
        "Content-Encoding \(encoding): send the picture as it is; PNG is compressed already",
        headers: [.acceptEncoding: "identity"])
    }
    let parameters = (headers[.contentType] ?? "").split(
      separator: ";", omittingEmptySubsequences: false
    ).map { $0.trimmingSpaces }
    let type = parameters[0].lowercased()
    switch type {
    case "image/png", "application/octet-stream": self = .whole
    case "multipart/form-data": self = .form(boundary: try Self.boundary(parameters.dropFirst()))
    default:
      throw Refusal(
        .unsupportedMediaType,
        "Content-Type \(type.isEmpty ? "is missing" : type): give image/png, application/octet-stream or "
          + "multipart/form-data")
    }
  }

  /// RFC 2046, 5.1.1.
  private static func boundary(_ parameters: ArraySlice<Substring>) throws(Refusal) -> String {
    let name = "boundary="
    let found = parameters.first { $0.lowercased().hasPrefix(name) }
    let text = (found ?? "").dropFirst(name.count).filter { $0 != "\"" }
    let isBoundary = text.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "'()+_,-./:=? ".contains($0))
    }
    guard isBoundary, (1...70).contains(text.utf8.count), text.last != " " else {
      throw Refusal(.badRequest, "multipart/form-data: give a boundary of 1 to 70 characters")
    }
    return String(text)
  }

  /// The pictures in a body, in the order of its form. What is before its first boundary, such as an empty line, is
  /// passed over, as RFC 2046, 5.1.1, asks for.
  ///
  /// - Throws: `Refusal` if it is a form without an end, with anything but files, or with too many.
  func pictures(in body: [UInt8]) throws(Refusal) -> [ArraySlice<UInt8>] {
    guard case .form(let boundary) = self else { return [body[...]] }
    let delimiter = Array("\r\n--\(boundary)".utf8)
    let blankLine = Array("\r\n\r\n".utf8)
    let start =
      body.starts(with: delimiter.dropFirst(2)) ? -2 : body.offset(of: delimiter, from: 0)
    var headers = (start ?? body.count) + delimiter.count
    var pictures: [ArraySlice<UInt8>] = []
    repeat {
      guard start != nil, let blank = body.offset(of: blankLine, from: headers),
        let end = body.offset(of: delimiter, from: blank + blankLine.count)
      else { throw Refusal(.badRequest, "the form lacks its boundary at the start or the end") }
      let isFile =
        blank - headers <= 4096
        && String(decoding: body[headers..<blank], as: UTF8.self).lowercased().contains("filename")
      guard isFile, pictures.count < Limits.maximumPictures else {
        throw Refusal(
          .badRequest,
          "the form: give up to \(Limits.maximumPictures) pictures as files alone, and options in the query"
        )
      }
      pictures.append(body[(blank + blankLine.count)..<end])
      headers = end + delimiter.count
    } while !body[headers...].starts(with: "--".utf8)
    return pictures
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}

extension [UInt8] {
  /// Where a delimiter, which begins with a carriage return, is first found. In a time that grows with the bytes
  /// alone: a boundary has no carriage return, so what is compared once is not compared again.
  fileprivate func offset(of delimiter: [UInt8], from start: Int) -> Int? {
    var offset = start
    while let next = self[offset...].firstIndex(of: UInt8(ascii: "\r")) {
      if self[next...].starts(with: delimiter) { return next }
      offset = next + 1
    }
    return nil
  }
}
