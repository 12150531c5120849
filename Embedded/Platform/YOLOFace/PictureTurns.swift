/// There are no files: callers hold their pictures.
final class PictureTurns: Sendable {}
