"""Variants of the decoders. Read variant.py first."""

from variant import Variant, activations, copy, without_prefix

YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8, "rope_theta": 100.0}
ROPE = "rope_parameters"

VARIANTS = {
    "gpt2_inverse_layer": Variant(
        "gpt2", "scale_attn_by_inverse_layer_idx", config={"scale_attn_by_inverse_layer_idx": True}
    ),
    "gpt2_reorder": Variant("gpt2", "reorder_and_upcast_attn", config={"reorder_and_upcast_attn": True}),
    "gpt2_both_scales": Variant(
        "gpt2", "scale_attn_by_inverse_layer_idx and reorder_and_upcast_attn",
        config={"scale_attn_by_inverse_layer_idx": True, "reorder_and_upcast_attn": True},
    ),
    "gpt2_unscaled": Variant("gpt2", "scale_attn_weights false", config={"scale_attn_weights": False}),
    "gpt2_cross": Variant("gpt2", "add_cross_attention", config={"add_cross_attention": True}),
    "gpt2_inner": Variant("gpt2", "n_inner", config={"n_inner": 40}),
    "gpt2_untied": Variant("gpt2", "tie_word_embeddings false", config={"tie_word_embeddings": False}),
    "gpt2_bare": Variant("gpt2", "unprefixed tensors", tensors=without_prefix("transformer.")),
    **activations("gpt2", "activation_function", ["gelu", "relu", "silu", "gelu_pytorch_tanh", "gelu_fast", "tanh"]),
    "gpt_neo_relu": Variant("gpt_neo", "activation relu", config={"activation_function": "relu"}),
    "gpt_neo_global": Variant(
        "gpt_neo", "attention_types",
        config={"attention_types": [[["global"], 2]], "attention_layers": ["global", "global"]},
    ),
    "gpt_neo_contradiction": Variant(
        "gpt_neo", "attention_layers beside other attention_types", config={"attention_types": [[["global"], 2]]}
    ),
    "gpt_neo_inner": Variant("gpt_neo", "intermediate_size", config={"intermediate_size": 40}),
    "gpt_neo_bare": Variant("gpt_neo", "unprefixed tensors", tensors=without_prefix("transformer.")),
    "gpt_neox_no_bias": Variant("gpt_neox_parallel", "attention_bias false", config={"attention_bias": False}),
    "gpt_neox_gelu_fast": Variant("gpt_neox_parallel", "hidden_act gelu_fast", config={"hidden_act": "gelu_fast"}),
    "gpt_neox_linear": Variant(
        "gpt_neox_parallel", "rope_scaling linear",
        file={ROPE: None, "rotary_pct": 0.5, "rotary_emb_base": 10000,
              "rope_scaling": {"type": "linear", "factor": 2.0}},
    ),
    "gpt_neox_bare": Variant("gpt_neox_sequential", "unprefixed tensors", tensors=without_prefix("gpt_neox.")),
    "opt_like_350m": Variant(
        "opt", "do_layer_norm_before false, word_embed_proj_dim",
        config={"do_layer_norm_before": False, "word_embed_proj_dim": 16},
    ),
    "opt_after": Variant("opt", "do_layer_norm_before false", config={"do_layer_norm_before": False}),
    "opt_projected": Variant("opt", "word_embed_proj_dim", config={"word_embed_proj_dim": 16}),
    "opt_no_bias": Variant("opt", "enable_bias false", config={"enable_bias": False}),
    "opt_plain_norms": Variant(
        "opt", "layer_norm_elementwise_affine false", config={"layer_norm_elementwise_affine": False}
    ),
    "opt_no_final_norm": Variant("opt", "_remove_final_layer_norm", config={"_remove_final_layer_norm": True}),
    "opt_gelu": Variant("opt", "activation gelu", config={"activation_function": "gelu"}),
    "opt_untied": Variant("opt", "tie_word_embeddings false", config={"tie_word_embeddings": False}),
    "opt_bare": Variant("opt", "unprefixed tensors", tensors=without_prefix("model.")),
    "bloom_post_norm": Variant(
        "bloom", "apply_residual_connection_post_layernorm", config={"apply_residual_connection_post_layernorm": True}
    ),
    "bloom_four_heads": Variant("bloom", "n_head 4", config={"n_head": 4}),
    "bloom_old_names": Variant(
        "bloom", "settings as bloom-560m has them",
        file={"hidden_size": None, "n_embed": 24, "n_head": None, "num_attention_heads": 6, "n_inner": None,
              "offset_alibi": 100, "seq_length": 2048, "attention_softmax_in_fp32": True, "masked_softmax_fusion": True,
              "bias_dropout_fusion": True, "pretraining_tp": 2, "skip_bias_add": True, "skip_bias_add_qkv": False},
    ),
    "bloom_bare": Variant("bloom", "unprefixed tensors", tensors=without_prefix("transformer.")),
    "bloom_exact": Variant("bloom", "slow_but_exact", file={"slow_but_exact": True, "pretraining_tp": 2}),
    "llama_attention_bias": Variant("llama_gqa", "attention_bias", config={"attention_bias": True}),
    "llama_mlp_bias": Variant("llama_gqa", "mlp_bias", config={"mlp_bias": True}),
    "llama_both_biases": Variant(
        "llama_gqa", "attention_bias and mlp_bias", config={"attention_bias": True, "mlp_bias": True}
    ),
    "llama_gelu": Variant("llama_gqa", "hidden_act gelu", config={"hidden_act": "gelu"}),
    "llama_bare": Variant("llama_tied_bf16", "unprefixed tensors", tensors=without_prefix("model.")),
    "llama_no_kv_heads": Variant(
        "llama_gqa", "num_key_value_heads absent", config={"num_key_value_heads": 6}, file={"num_key_value_heads": None}
    ),
    "llama_dynamic": Variant(
        "llama_gqa", "rope_scaling dynamic",
        file={ROPE: None, "rope_theta": 10000.0, "rope_scaling": {"type": "dynamic", "factor": 2.0}},
    ),
    "llama_longrope": Variant(
        "llama_gqa", "rope_scaling longrope",
        file={ROPE: {"rope_type": "longrope", "rope_theta": 10000.0, "factor": 2.0, "long_factor": [2.0] * 4,
                     "short_factor": [1.5] * 4, "original_max_position_embeddings": 16}},
    ),
    "llama_yarn_mscale": Variant(
        "llama_yarn", "yarn mscale", file={ROPE: YARN | {"mscale": 0.7, "mscale_all_dim": 1.2}}
    ),
    "llama_yarn_attention_factor": Variant(
        "llama_yarn", "yarn attention_factor", file={ROPE: YARN | {"attention_factor": 0.8}}
    ),
    "llama_yarn_untruncated": Variant("llama_yarn", "yarn truncate false", file={ROPE: YARN | {"truncate": False}}),
    "llama_yarn_original": Variant(
        "llama_yarn", "yarn without original_max_position_embeddings",
        file={ROPE: {"rope_type": "yarn", "factor": 4.0, "rope_theta": 100.0}},
    ),
    "llama_partial": Variant(
        "llama_gqa", "partial_rotary_factor",
        file={ROPE: {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}},
    ),
    "llama_pretraining_tp": Variant("llama_gqa", "pretraining_tp", file={"pretraining_tp": 2}),
    "llama_tied_stored": Variant(
        "llama_tied_bf16", "tied output stored again", tensors=copy("model.embed_tokens.weight", "lm_head.weight")
    ),
    "mistral_no_window": Variant("mistral", "sliding_window null", config={"sliding_window": None}),
    "mistral_head_dim": Variant("mistral", "head_dim", config={"head_dim": 12}),
    "mistral_yarn": Variant("mistral", "rope_scaling yarn", file={ROPE: YARN}),
    "qwen2_layer_types": Variant(
        "qwen2", "layer_types", config={"layer_types": ["sliding_attention", "full_attention"]}
    ),
    "qwen2_window_off": Variant(
        "qwen2", "use_sliding_window false",
        config={"layer_types": None, "use_sliding_window": False, "sliding_window": 4},
        file={"layer_types": None},
    ),
    "qwen2_max_window_layers": Variant(
        "qwen2", "max_window_layers 0", config={"layer_types": None, "max_window_layers": 0}, file={"layer_types": None}
    ),
    "qwen2_untied": Variant("qwen2", "tie_word_embeddings false", config={"tie_word_embeddings": False}),
    "qwen2_old_yarn": Variant(
        "qwen2", "rope_scaling yarn under the old names",
        file={ROPE: None, "rope_theta": 100.0,
              "rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8}},
    ),
    "qwen3_attention_bias": Variant("qwen3", "attention_bias", config={"attention_bias": True}),
    "qwen3_window": Variant(
        "qwen3", "sliding_window",
        config={"layer_types": None, "use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1},
    ),
    "qwen3_untied": Variant("qwen3", "tie_word_embeddings false", config={"tie_word_embeddings": False}),
    "gemma3_linear": Variant(
        "gemma3_text", "rope_scaling linear on full layers",
        file={ROPE: None, "rope_theta": 1000.0, "rope_local_base_freq": 100.0,
              "rope_scaling": {"rope_type": "linear", "factor": 8.0}},
    ),
    "gemma3_new_linear": Variant(
        "gemma3_text", "rope_parameters linear on full layers",
        file={ROPE: {"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000.0},
                     "sliding_attention": {"rope_type": "default", "rope_theta": 100.0}}},
    ),
    "gemma3_score_cap": Variant("gemma3_text", "attn_logit_softcapping", config={"attn_logit_softcapping": 2.0}),
    "gemma3_logit_cap": Variant("gemma3_text", "final_logit_softcapping", config={"final_logit_softcapping": 3.0}),
    "gemma3_attention_bias": Variant("gemma3_text", "attention_bias", config={"attention_bias": True}),
    "gemma3_bidirectional": Variant(
        "gemma3_text", "use_bidirectional_attention", config={"use_bidirectional_attention": True}
    ),
    "gemma3_pattern": Variant(
        "gemma3_text", "sliding_window_pattern 2", config={"layer_types": None, "sliding_window_pattern": 2},
        file={"layer_types": None, "sliding_window_pattern": 2},
    ),
    "gemma3_silu": Variant("gemma3_text", "hidden_activation silu", config={"hidden_activation": "silu"}),
    "gemma3_untied": Variant("gemma3_text", "tie_word_embeddings false", config={"tie_word_embeddings": False}),
    "gemma3_bare": Variant("gemma3_text", "unprefixed tensors", tensors=without_prefix("model.")),
}
