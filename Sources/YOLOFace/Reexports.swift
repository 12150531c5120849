// SPDX-License-Identifier: Apache-2.0

// A user imports this module alone; faces and pictures are part of what it offers.
@_exported import FaceAnalysis
@_exported import FaceDecoding
import Files
@_exported import Geometry
import Inference
import NCNN
@_exported import Raster

/// Why a model file was refused; see `FaceDetector`.
public typealias ModelError = NCNN.ModelError

/// Limits on model files; see `FaceDetector`.
public typealias ModelLimits = NCNN.Limits

/// How a picture's bytes become a network's input; see `ModelRecipe`.
public typealias Normalisation = Inference.Normalisation

/// Why a network cannot be run on a picture; see `FaceDetector.detect(in:options:progress:)`.
public typealias InferenceError = NCNN.InferenceError

/// Why a file could not be read or written.
public typealias FileError = Files.FileError
