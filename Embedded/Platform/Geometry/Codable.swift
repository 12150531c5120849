// SPDX-License-Identifier: Apache-2.0

/// Nothing: where there is no Foundation, nothing is written as JSON.
public protocol Codable {}
