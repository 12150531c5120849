// SPDX-License-Identifier: Apache-2.0
import YOLOFace

/// The server's description (https://spec.openapis.org/oas/v3.1.0), in JSON.
func openAPI(_ limits: Limits) -> String {
  let efforts = SearchEffort.names.filter {
    limits.allowThorough || SearchEffort(name: $0) != .thorough
  }.map { "\"\($0)\"" }.joined(separator: ", ")
  return """
    {
      "openapi": "3.1.0",
      "info": {
        "title": "yoloface-server", "version": "\(FaceDetector.libraryVersion)",
        "summary": "Finds faces and their landmarks in pictures.",
        "description": "Model \(FaceDetector.defaultModelName), unless another is served; /health names it."
      },
      "paths": {
        "/detect": {
          "post": {
            "operationId": "detect", "summary": "The faces of a picture, or of several",
            "parameters": [
              \(parameter("score", "The least score of a face", fraction)),
              \(parameter("iou", "The overlap from which the worse of two faces is left out", fraction)),
              \(parameter("long-side", "The long side of the network's input",
                #"{"type": "integer", "minimum": 32, "maximum": \#(limits.maxLongSide), "multipleOf": 32}"#)),
              \(parameter("effort", "How closely to search", #"{"enum": [\#(efforts)]}"#))
            ],
            "requestBody": {
              "description": "A PNG of at most \(limits.maxPixels) pixels, or a form of several; \(limits.maxBody) bytes at most",
              "required": true,
              "content": {
                "image/png": {"schema": \(binary)},
                "application/octet-stream": {"schema": \(binary)},
                "multipart/form-data": {
                  "schema": {
                    "type": "object", "required": ["file"], "additionalProperties": false,
                    "properties": {
                      "file": {
                        "type": "array", "minItems": 1, "maxItems": \(Limits.maximumPictures), "items": \(binary)
                      }
                    }
                  }
                }
              }
            },
            "responses": {
              "200": \(json("The faces, best first; of several pictures an array, in their order", reference: "Answer")),
              \(refusals([
                (400, "An invalid query, form or request"), (408, "The body took too long to arrive"),
                (413, "The body is too long"), (415, "A body of another type or encoding"),
                (422, "Not a PNG, a damaged one, or too large"), (503, "Too much to do: retry later"),
                (504, "The search took too long"),
              ]))
            }
          }
        },
        "/health": {
          \(operations("health", "Whether the server takes requests", responses: """
            "200": \(json("It does", reference: "Health")),
                  "503": \(json("It shuts down", reference: "Health"))
            """))
        },
        "/metrics": {
          \(operations("metrics", "Counts for Prometheus", responses: content("text/plain")))
        },
        "/openapi.json": {
          \(operations("description", "This description", responses: content("application/json")))
        },
        "/": {
          \(operations("page", "A page to try it with", responses: content("text/html")))
        }
      },
      "components": {
        "schemas": {
          "Answer": {
            "oneOf": [
              {"$ref": "#/components/schemas/Report"},
              {
                "type": "array", "minItems": 2, "maxItems": \(Limits.maximumPictures),
                "items": {"$ref": "#/components/schemas/Report"}
              }
            ]
          },
          "Report": {
            "type": "object", "required": ["image", "width", "height", "faces"],
            "properties": {
              "image": {"const": "-"},
              "width": {"type": "integer", "minimum": 1}, "height": {"type": "integer", "minimum": 1},
              "faces": {
                "type": "array", "maxItems": \(Limits.maximumFaces),
                "items": {"$ref": "#/components/schemas/Face"}
              }
            }
          },
          "Face": {
            "type": "object", "required": ["score", "box", "pose"],
            "properties": {
              "score": \(fraction),
              "box": \(numbers("In pixels", ["x", "y", "width", "height"])),
              "landmarks": {
                "description": "Named by the person's own sides; absent if the model finds none",
                "type": "object", "required": [\(landmarks)],
                "additionalProperties": {
                  "type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2
                }
              },
              "pose": {
                "oneOf": [{"type": "null"}, \(numbers("In degrees", ["roll", "yaw", "pitch"]))]
              },
              "upsideDown": {"const": true}
            }
          },
          "Health": {
            "type": "object", "required": ["ok", "uptime", "weights"],
            "properties": {
              "ok": {"type": "boolean"}, "uptime": {"type": "number"}, "weights": {"type": "string"}
            }
          },
          "Refusal": {
            "type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}
          }
        }
      }
    }

    """
}

private let fraction = #"{"type": "number", "minimum": 0, "maximum": 1}"#
private let binary = #"{"type": "string", "format": "binary"}"#
private let landmarks = #""rightEye", "leftEye", "nose", "rightMouth", "leftMouth""#

private func parameter(_ name: String, _ description: String, _ schema: String) -> String {
  #"{"name": "\#(name)", "in": "query", "description": "\#(description)", "schema": \#(schema)}"#
}

private func numbers(_ description: String, _ names: [String]) -> String {
  let required = names.map { "\"\($0)\"" }.joined(separator: ", ")
  let properties = names.map { #""\#($0)": {"type": "number"}"# }.joined(separator: ", ")
  return
    #"{"description": "\#(description)", "type": "object", "required": [\#(required)], "properties": {\#(properties)}}"#
}

private func json(_ description: String, reference: String) -> String {
  let schema = ##"{"$ref": "#/components/schemas/\##(reference)"}"##
  return
    #"{"description": "\#(description)", "content": {"application/json": {"schema": \#(schema)}}}"#
}

private func refusals(_ statuses: [(status: Int, description: String)]) -> String {
  statuses.map { #""\#($0.status)": \#(json($0.description, reference: "Refusal"))"# }
    .joined(separator: ",\n              ")
}

private func content(_ type: String) -> String {
  #""200": {"description": "OK", "content": {"\#(type)": {}}}"#
}

/// GET and HEAD of a path.
private func operations(_ name: String, _ summary: String, responses: String) -> String {
  #"""
  "get": {"operationId": "\#(name)", "summary": "\#(summary)", "responses": {\#(responses)}},
      "head": {"summary": "The headers alone", "responses": {"200": {"description": "As for GET"}}}
  """#
}
