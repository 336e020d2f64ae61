"""Variants of the encoders. Read variant.py first."""

import torch
from variant import Variant, activations, both, copy, other, without_prefix

TYPES = [0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0]

VARIANTS = {
    "bert_absolute": Variant("bert", "position_embedding_type", file={"position_embedding_type": "absolute"}),
    "bert_relative_key": Variant(
        "bert", "position_embedding_type", file={"position_embedding_type": "relative_key"}, reference=False
    ),
    "bert_relative_key_query": Variant(
        "bert", "position_embedding_type", file={"position_embedding_type": "relative_key_query"}, reference=False
    ),
    "bert_is_decoder": Variant("bert", "is_decoder", config={"is_decoder": True}),
    "bert_cross_attention": Variant(
        "bert", "add_cross_attention", config={"is_decoder": True, "add_cross_attention": True}
    ),
    "bert_untied": Variant(
        "bert", "tie_word_embeddings false", file={"tie_word_embeddings": False},
        tensors=both(
            other("cls.predictions.decoder.weight", (64, 24)),
            copy("cls.predictions.bias", "cls.predictions.decoder.bias"),
        ),
    ),
    "bert_untied_without_output": Variant(
        "bert", "tie_word_embeddings false without a tensor", file={"tie_word_embeddings": False}, bare=True
    ),
    "bert_tied_stored": Variant(
        "bert", "tied output stored again",
        tensors=both(
            copy("bert.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight"),
            copy("cls.predictions.bias", "cls.predictions.decoder.bias"),
        ),
    ),
    "bert_position_ids": Variant(
        "bert", "stored position_ids",
        tensors=lambda tensors: tensors.update({"bert.embeddings.position_ids": torch.arange(20)[None]}),
    ),
    "bert_bare": Variant("bert", "unprefixed tensors", tensors=without_prefix("bert."), bare=True),
    "bert_one_type": Variant("bert", "type_vocab_size 1", config={"type_vocab_size": 1}),
    "bert_four_types": Variant(
        "bert", "type_vocab_size 4", config={"type_vocab_size": 4}, token_types=[0, 3, 2, 1, 1, 1, 2, 2, 3, 0, 0]
    ),
    "bert_no_padding_id": Variant("bert", "pad_token_id null", config={"pad_token_id": None}),
    "bert_hole": Variant("bert", "a mask with holes", mask=[1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1], token_types=TYPES),
    "bert_left_padding": Variant("bert", "padding on the left", mask=[0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]),
    "bert_epsilon": Variant("bert", "layer_norm_eps absent", file={"layer_norm_eps": None}),
    "bert_chunked": Variant("bert", "chunk_size_feed_forward", file={"chunk_size_feed_forward": 11}),
    **activations("bert", "hidden_act", ["gelu", "relu", "silu", "swish", "gelu_pytorch_tanh", "gelu_fast"]),
    **activations("bert", "hidden_act", ["quick_gelu", "gelu_python", "mish", "tanh", "relu2"]),
    "roberta_untied": Variant(
        "roberta", "tie_word_embeddings false", file={"tie_word_embeddings": False},
        tensors=both(other("lm_head.decoder.weight", (64, 20)), copy("lm_head.bias", "lm_head.decoder.bias")),
    ),
    "roberta_tied_stored": Variant(
        "roberta", "tied output stored again",
        tensors=both(
            copy("roberta.embeddings.word_embeddings.weight", "lm_head.decoder.weight"),
            copy("lm_head.bias", "lm_head.decoder.bias"),
        ),
    ),
    "roberta_bare": Variant("roberta", "unprefixed tensors", tensors=without_prefix("roberta."), bare=True),
    "roberta_two_types": Variant("roberta", "type_vocab_size 2", config={"type_vocab_size": 2}, token_types=TYPES),
    "roberta_is_decoder": Variant("roberta", "is_decoder", config={"is_decoder": True}),
    "roberta_other_padding_id": Variant("roberta", "pad_token_id 0", config={"pad_token_id": 0}),
    "roberta_padding_inside": Variant(
        "roberta", "the padding id inside a text", last_row=[5, 6, 1, 7, 8, 1, 1, 9, 10, 11, 12], mask=[1] * 11
    ),
    "roberta_masked_words": Variant(
        "roberta", "a mask over ids that are no padding", mask=[1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0]
    ),
    "roberta_relative_key": Variant(
        "roberta", "position_embedding_type", file={"position_embedding_type": "relative_key"}, reference=False
    ),
    "roberta_as_xlm": Variant("roberta", "model_type xlm-roberta", file={"model_type": "xlm-roberta"}),
    "roberta_as_camembert": Variant("roberta", "model_type camembert", file={"model_type": "camembert"}),
    "distilbert_sinusoidal": Variant("distilbert", "sinusoidal_pos_embds", config={"sinusoidal_pos_embds": True}),
    "distilbert_gelu": Variant("distilbert", "activation gelu", config={"activation": "gelu"}),
    "distilbert_swish": Variant("distilbert", "activation swish", config={"activation": "swish"}),
    "distilbert_tied_stored": Variant(
        "distilbert", "tied output stored again",
        tensors=copy("distilbert.embeddings.word_embeddings.weight", "vocab_projector.weight"),
    ),
    "distilbert_untied": Variant(
        "distilbert", "tie_word_embeddings false", file={"tie_word_embeddings": False},
        tensors=other("vocab_projector.weight", (64, 20)),
    ),
    "distilbert_tied_words": Variant("distilbert", "tie_weights_", file={"tie_weights_": True}),
    "distilbert_bare": Variant("distilbert", "unprefixed tensors", tensors=without_prefix("distilbert."), bare=True),
}
