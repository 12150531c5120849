// SPDX-License-Identifier: Apache-2.0

// A user imports this module alone; faces and pictures are part of what it offers.
@_exported import YOLOFaceAnalysis
@_exported import YOLOFaceDecoding
import YOLOFaceFiles
@_exported import YOLOFaceGeometry
import YOLOFaceInference
import YOLOFaceNCNN
@_exported import YOLOFaceRaster

/// Why a model file was refused; see `FaceDetector`.
public typealias ModelError = YOLOFaceNCNN.ModelError

/// Limits on model files; see `FaceDetector`.
public typealias ModelLimits = YOLOFaceNCNN.Limits

/// How a picture's bytes become a network's input; see `ModelRecipe`.
public typealias Normalization = YOLOFaceInference.Normalization

/// Why a network cannot be run on a picture; see `FaceDetector.detect(in:options:progress:)`.
public typealias InferenceError = YOLOFaceNCNN.InferenceError

/// Why a file could not be read or written.
public typealias FileError = YOLOFaceFiles.FileError
