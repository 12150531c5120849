import Files
import Inference
import NCNN

/// Why a model file was refused, see `FaceDetector`.
public typealias ModelError = NCNN.ModelError

/// What a model file may ask for, see `FaceDetector`.
public typealias ModelLimits = NCNN.Limits

/// What a picture's bytes become before a network takes them, see `ModelRecipe`.
public typealias Normalisation = Inference.Normalisation

/// Why a network cannot be run on a picture, see `FaceDetector.detect(in:options:)`.
public typealias InferenceError = Inference.InferenceError

/// Why a model file could not be read at all, or a picture not written.
public typealias FileError = Files.FileError
