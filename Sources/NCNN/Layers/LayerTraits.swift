// SPDX-License-Identifier: Apache-2.0

/// What a layer takes, makes and hands on.
@_spi(Tool) public struct LayerTraits: Sendable {
  /// Where the channels of a layer's outputs come from.
  public enum Channels: Sendable {
    /// They are computed, or mixed from several.
    case new
    /// From the channels of the same numbers.
    case kept
    /// From all inputs, one after the other.
    case joined
    /// A run of channels for each output.
    case cut
    /// With `group` g, channel `i · C/g + j` comes to `j · g + i`; reversed, the other way.
    case shuffled(group: Int, isReversed: Bool)
  }

  /// How a layer's result differs from numbers that it reads.
  public enum Movement: Sendable {
    /// Its numbers are computed.
    case none
    /// Each number is one of the inputs'.
    case picks
    /// Each number of the inputs is at one place of the outputs.
    case rearranges
  }

  /// How many blobs the layer reads.
  var inputs = 1...1
  /// How many blobs it makes.
  var outputs = 1...1
  /// The arrays of weights that it takes from the `.bin` file, in their order.
  var weights: [WeightRequest] = []
  /// The inputs that may have four axes; nil for none. Some layers have inputs after the first for their sizes alone.
  var fourAxes: PartialRangeFrom<Int>? = 0...
  /// Whether upstream's layer gives int8 numbers of the same scale for int8 numbers.
  var movesInt8 = false
  /// How its numbers are those of the inputs.
  public var movement = Movement.none
  /// Where the channels of its outputs come from.
  public var channels = Channels.new
  /// How it multiplies in int8; nil where it computes in floats.
  public var int8: Int8Scheme?

  /// Whether every number of the outputs is one of the inputs'.
  @_spi(Tool) public var movesNumbers: Bool { movement != .none }
}

extension LayerTraits {
  /// Those of a layer with arrays of weights of one length, without storage tags.
  init(weights names: [String], count: Int) {
    self.init(weights: names.map { WeightRequest(name: $0, shape: [count]) })
  }
}

/// How a layer multiplies in int8: its weights are int8, or are quantised when it is run.
@_spi(Tool) public struct Int8Scheme: Hashable, Sendable {
  /// The number of scales of its results, one for each.
  var outputChannels: Int
  /// Whether a bias comes between the weights and the scales.
  var hasBias: Bool
  /// Whether the result is int8 as well.
  public var handsOnInt8 = false
}
