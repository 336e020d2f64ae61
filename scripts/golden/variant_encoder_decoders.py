"""Variants of the encoder-decoders. Read variant.py first."""

from variant import Variant, both, copy, drop, other, sinusoids, without_prefix

# What config.json of facebook/bart-large, facebook/mbart-large-cc25 and Helsinki-NLP/opus-mt-* also says.
FAIRSEQ = {
    "add_bias_logits": False, "add_final_layer_norm": False, "normalize_before": False, "normalize_embedding": True,
    "static_position_embeddings": False, "extra_pos_embeddings": 2, "force_bos_token_to_be_generated": False,
    "num_hidden_layers": 2, "classif_dropout": 0.1, "gradient_checkpointing": False, "num_beams": 4,
}
MBART_FAIRSEQ = FAIRSEQ | {"add_final_layer_norm": True, "normalize_before": True, "num_hidden_layers": 3}
MARIAN_FAIRSEQ = FAIRSEQ | {"normalize_embedding": False, "static_position_embeddings": True, "num_hidden_layers": 3}

GATED = {"feed_forward_proj": "gated-gelu"}
SHARED = copy("shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight")
MODEL_SHARED = copy(
    "model.shared.weight", "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"
)

STACKS = copy("model.shared.weight", "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight")

VARIANTS = {
    **{
        f"t5_{kind}": Variant("t5", f"feed_forward_proj {kind}", config={"feed_forward_proj": kind})
        for kind in ["gelu", "gelu_new", "silu", "gated-gelu", "gated-silu", "gated-relu"]
    },
    "t5_gated_tied": Variant("t5_gated", "gated and tied", config=GATED | {"tie_word_embeddings": True}),
    "t5_untied_without_output": Variant(
        "t5", "tie_word_embeddings false without a tensor",
        file={"tie_word_embeddings": False, "scale_decoder_outputs": None},
    ),
    "t5_untied": Variant(
        "t5", "tie_word_embeddings false", file={"tie_word_embeddings": False, "scale_decoder_outputs": None},
        own_output=True,
    ),
    "t5_tied_stored": Variant("t5", "tied output stored again", tensors=copy("shared.weight", "lm_head.weight")),
    "t5_tied_other_stored": Variant("t5", "tied by the settings, another output stored", own_output=True),
    "t5_unscaled": Variant("t5", "scale_decoder_outputs false", file={"scale_decoder_outputs": False}),
    "t5_untied_scaled": Variant(
        "t5", "scale_decoder_outputs true, tie_word_embeddings false",
        file={"tie_word_embeddings": False, "scale_decoder_outputs": True}, own_output=True,
    ),
    "t5_like_small": Variant(
        "t5", "tensors as t5-small has them",
        tensors=both(
            SHARED, copy("shared.weight", "lm_head.weight"),
            other("decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight", (12, 3)),
        ),
    ),
    "t5_real_buckets": Variant(
        "t5", "32 buckets up to 128, a long text",
        config={"relative_attention_num_buckets": 32, "relative_attention_max_distance": 128}, length=290,
    ),
    "t5_no_buckets_named": Variant(
        "t5", "relative_attention_max_distance absent", config={"relative_attention_max_distance": 128},
        file={"relative_attention_max_distance": None}, length=290,
    ),
    "t5_two_buckets": Variant("t5", "2 buckets", config={"relative_attention_num_buckets": 2}, reference=False),
    "t5_odd_buckets": Variant(
        "t5", "15 buckets", config={"relative_attention_num_buckets": 15, "relative_attention_max_distance": 20}
    ),
    "t5_layers_absent": Variant(
        "t5", "num_decoder_layers absent", config={"num_decoder_layers": 2}, file={"num_decoder_layers": None}
    ),
    "t5_act_fn_other": Variant("t5_gated", "dense_act_fn silu", config=GATED, file={"dense_act_fn": "silu"}),
    "t5_not_gated": Variant(
        "t5", "is_gated_act false beside gated-gelu", file={"feed_forward_proj": "gated-gelu", "is_gated_act": False}
    ),
    "t5_proj_absent": Variant("t5", "feed_forward_proj absent", file={"feed_forward_proj": None}),
    "t5_as_mt5": Variant("t5_gated", "model_type mt5", config=GATED, file={"model_type": "mt5"}),
    "t5_as_umt5": Variant("t5", "model_type umt5", file={"model_type": "umt5"}, reference=False),
    "t5_as_longt5": Variant("t5", "model_type longt5", file={"model_type": "longt5"}, reference=False),
    "t5_start_absent": Variant("t5", "decoder_start_token_id absent", file={"decoder_start_token_id": None}),
    "t5_left_padding": Variant("t5", "padding on the left", mask=[0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]),
    "t5_hole": Variant("t5", "a mask with holes", mask=[1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1]),
    "t5_is_decoder": Variant("t5", "is_decoder", file={"is_decoder": True}, reference=False),
    "t5_encoder_only": Variant("t5", "is_encoder_decoder false", file={"is_encoder_decoder": False}, reference=False),
    "marian_swish": Variant("marian", "activation swish", config={"activation_function": "swish"}),
    "marian_gelu": Variant("marian", "activation gelu", config={"activation_function": "gelu"}),
    "marian_unscaled": Variant("marian", "scale_embedding false", config={"scale_embedding": False}),
    "marian_scale_absent": Variant(
        "marian", "scale_embedding absent", config={"scale_embedding": False}, file={"scale_embedding": None}
    ),
    "marian_separate": Variant(
        "marian", "share_encoder_decoder_embeddings false, decoder_vocab_size 48",
        config={"share_encoder_decoder_embeddings": False, "decoder_vocab_size": 48, "pad_token_id": 47,
                "decoder_start_token_id": 47},
        start=(47,),
    ),
    "marian_separate_same_size": Variant(
        "marian", "share_encoder_decoder_embeddings false", config={"share_encoder_decoder_embeddings": False}
    ),
    "marian_untied": Variant(
        "marian", "tie_word_embeddings false",
        config={"tie_word_embeddings": False, "share_encoder_decoder_embeddings": False},
    ),
    "marian_own_output": Variant(
        "marian", "tie_word_embeddings false with a tensor", file={"tie_word_embeddings": False}, own_output=True,
        tensors=STACKS,
    ),
    "marian_like_opus": Variant(
        "marian", "settings and tensors as opus-mt has them", file=MARIAN_FAIRSEQ,
        tensors=both(
            MODEL_SHARED,
            sinusoids(24, "model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight"),
        ),
    ),
    "marian_no_logits_bias": Variant("marian", "no final_logits_bias", tensors=drop("final_logits_bias")),
    "marian_normalize_before": Variant(
        "marian", "normalize_before", file=MARIAN_FAIRSEQ | {"normalize_before": True}, reference=False
    ),
    "marian_final_norm": Variant(
        "marian", "add_final_layer_norm", file=MARIAN_FAIRSEQ | {"add_final_layer_norm": True}, reference=False
    ),
    "marian_embedding_norm": Variant(
        "marian", "normalize_embedding", file=MARIAN_FAIRSEQ | {"normalize_embedding": True}, reference=False
    ),
    "marian_learned_positions": Variant(
        "marian", "static_position_embeddings", file=MARIAN_FAIRSEQ | {"static_position_embeddings": False},
        reference=False,
    ),
    "bart_unscaled": Variant("bart", "scale_embedding false", config={"scale_embedding": False}),
    "bart_relu": Variant("bart", "activation relu", config={"activation_function": "relu"}),
    "bart_swish": Variant("bart", "activation swish", config={"activation_function": "swish"}),
    "bart_gelu": Variant("bart", "activation gelu", config={"activation_function": "gelu"}),
    "bart_like_large": Variant("bart", "settings as bart-large has them", file=FAIRSEQ, tensors=MODEL_SHARED),
    "bart_normalize_before": Variant("bart", "normalize_before", file={"normalize_before": True}, reference=False),
    "bart_final_norm": Variant("bart", "add_final_layer_norm", file={"add_final_layer_norm": True}, reference=False),
    "bart_no_embedding_norm": Variant(
        "bart", "normalize_embedding", file={"normalize_embedding": False}, reference=False
    ),
    "bart_static_positions": Variant(
        "bart", "static_position_embeddings", file={"static_position_embeddings": True}, reference=False
    ),
    "bart_bare": Variant("bart", "unprefixed tensors", tensors=without_prefix("model.")),
    "bart_bare_repeated": Variant(
        "bart", "unprefixed tensors as bart-base has them", tensors=both(without_prefix("model."), SHARED)
    ),
    "bart_own_output": Variant(
        "bart", "tie_word_embeddings false with a tensor", file={"tie_word_embeddings": False}, own_output=True,
        tensors=STACKS,
    ),
    "bart_classes": Variant("bart", "num_labels", file={"num_labels": 3, "id2label": {"0": "a", "1": "b", "2": "c"}}),
    "bart_left_padding": Variant("bart", "padding on the left", mask=[0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]),
    "mbart_gelu": Variant("mbart", "activation gelu", config={"activation_function": "gelu"}),
    "mbart_unscaled": Variant("mbart", "scale_embedding false", config={"scale_embedding": False}),
    "mbart_like_cc25": Variant(
        "mbart", "settings as mbart-large-cc25 has them", file=MBART_FAIRSEQ, tensors=MODEL_SHARED
    ),
    "mbart_normalize_after": Variant(
        "mbart", "normalize_before false", file={"normalize_before": False}, reference=False
    ),
    "mbart_no_final_norm": Variant(
        "mbart", "add_final_layer_norm false", file={"add_final_layer_norm": False}, reference=False
    ),
    "mbart_own_output": Variant(
        "mbart", "tie_word_embeddings false with a tensor", file={"tie_word_embeddings": False}, own_output=True,
        tensors=STACKS,
    ),
    "m2m100_relu": Variant("m2m100", "activation relu", config={"activation_function": "relu"}),
    "m2m100_swish": Variant("m2m100", "activation swish", config={"activation_function": "swish"}),
    "m2m100_unscaled": Variant("m2m100", "scale_embedding false", config={"scale_embedding": False}),
    "m2m100_scale_absent": Variant("m2m100", "scale_embedding absent", file={"scale_embedding": None}),
    "m2m100_other_padding_id": Variant("m2m100", "pad_token_id 0", config={"pad_token_id": 0}),
    "m2m100_repeated": Variant("m2m100", "embedding stored under all its names", tensors=MODEL_SHARED),
    "m2m100_own_output": Variant(
        "m2m100", "tie_word_embeddings false with a tensor", file={"tie_word_embeddings": False}, own_output=True,
        tensors=STACKS,
    ),
    "m2m100_masked_words": Variant(
        "m2m100", "a mask over ids that are no padding", mask=[1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0]
    ),
    "m2m100_past_the_table": Variant(
        "m2m100", "longer than max_position_embeddings", config={"max_position_embeddings": 12}, length=24
    ),
}
