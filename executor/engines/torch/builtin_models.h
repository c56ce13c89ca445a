#pragma once
/// The built-in models. Inputs are [samples, ...] as the data set gives them.

#include "executor/engines/torch/layers.h"

namespace medley::executor {

/// ReLU and dropout after every hidden layer.
Model make_mlp(const MlpModel& spec, LayerMaker maker);
/// Per entry of `filters`: 3x3 convolution, batch normalisation if wanted, ReLU, 2x2 mean pooling while more than one pixel is left; then
/// the mean over pixels, dropout and one linear layer.
Model make_cnn(const CnnModel& spec, LayerMaker maker);
/// He et al. 2016 (stride on the 3x3 convolution of a bottleneck). Up to 64 pixels a 3x3 stem without pooling, as for CIFAR; above, 7x7
/// with stride 2 and 3x3 maximum pooling, as for ImageNet.
Model make_resnet(const ResnetModel& spec, LayerMaker maker);
/// Decoder blocks with layer norms ahead of attention and of the feed-forward part (4 x hidden, GELU), learned positions, a last layer
/// norm; the head is the token table itself (tied). Parameters: (vocabulary + sequence + 2) h + layers (12 h^2 + 13 h) with h = hidden.
Model make_gpt(const GptModel& spec, LayerMaker maker);

}  // namespace medley::executor
