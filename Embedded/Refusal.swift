// SPDX-License-Identifier: Apache-2.0

/// Why something was refused, for people to read.
struct Refusal: Error {
  let message: String
}

/// The result of a function, or its error as a refusal.
func refusing<Result, Failure: Error & CustomStringConvertible>(
  _ body: () throws(Failure) -> Result
) throws(Refusal) -> Result {
  do throws(Failure) {
    return try body()
  } catch {
    throw Refusal(message: error.description)
  }
}
