// SPDX-License-Identifier: Apache-2.0

/// There are no files: callers hold their pictures.
final class PictureTurns: Sendable {}
