"""Small tokenizers in the shape of each family's tokenizer.json.

Each kind is written as the family's files on the hub are written: the same normalizer, pre-tokenizer, post-processor,
decoder, added tokens and settings. Read next: tokenizer_training.py, charsmap.py.
"""

import charsmap
from tokenizer_training import train_byte_level, train_sentence_piece_bpe, train_unigram, word_pieces

LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"


def kinds() -> dict[str, tuple[dict, dict]]:
    """tokenizer.json and tokenizer_config.json of each kind."""
    byte_level = train_byte_level()
    pieces, merges = train_sentence_piece_bpe()
    unigram = train_unigram()
    return {
        "gpt2": gpt2(*byte_level), "roberta": roberta(*byte_level), "bart": bart(*byte_level), "opt": opt(*byte_level),
        "gpt_neox": gpt_neox(*byte_level), "bloom": bloom(*byte_level), "smollm": smollm(*byte_level),
        "llama3": llama3(*byte_level), "qwen2": qwen2(*byte_level),
        "llama2": llama2(pieces, merges), "mistral": mistral(pieces, merges), "gemma": gemma(pieces, merges),
        "m2m100": m2m100(pieces, merges),
        "t5": t5(unigram), "flan_t5": flan_t5(unigram), "mbart": mbart(unigram), "mbart50": mbart50(unigram),
        "marian": marian(unigram), "xlm_roberta": xlm_roberta(unigram),
        "bert_uncased": bert(lowercase=True), "bert_cased": bert(lowercase=False), "distilbert": distilbert(),
    }


# Parts that families share.


def added(ids: dict[str, int], *contents: str, special: bool = True, normalized: bool = False, lstrip: bool = False) -> list[dict]:
    return [
        {
            "id": ids[content], "content": content, "single_word": False, "lstrip": lstrip, "rstrip": False,
            "normalized": normalized, "special": special,
        }
        for content in contents
    ]


def numbered(entries: list[str]) -> dict[str, int]:
    assert len(set(entries)) == len(entries)
    return {entry: index for index, entry in enumerate(entries)}


def whole(added_tokens: list[dict], normalizer, pre_tokenizer, post_processor, decoder, model: dict) -> dict:
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": sorted(added_tokens, key=lambda token: token["id"]), "normalizer": normalizer,
        "pre_tokenizer": pre_tokenizer, "post_processor": post_processor, "decoder": decoder, "model": model,
    }


def template(ids: dict[str, int], single: str, pair: str) -> dict:
    """From a text like '[CLS] $A [SEP] $B:1 [SEP]:1'."""

    def item(text: str) -> dict:
        name, _, kind = text.partition(":")
        kind = int(kind or 0)
        if name.startswith("$"):
            return {"Sequence": {"id": name[1:], "type_id": kind}}
        return {"SpecialToken": {"id": name, "type_id": kind}}

    names = {text.partition(":")[0] for text in (single + " " + pair).split() if not text.startswith("$")}
    return {
        "type": "TemplateProcessing", "single": [item(text) for text in single.split()],
        "pair": [item(text) for text in pair.split()],
        "special_tokens": {name: {"id": name, "ids": [ids[name]], "tokens": [name]} for name in sorted(names)},
    }


def sequence(kind: str, *parts: dict) -> dict:
    """kind: the name of the list, normalizers, pretokenizers, processors or decoders."""
    return {"type": "Sequence", kind: list(parts)}


def byte_level_part(**changes) -> dict:
    return {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True, **changes}


def split(pattern: dict, behavior: str = "Isolated") -> dict:
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": False}


def replace(old: dict | str, new: str) -> dict:
    return {"type": "Replace", "pattern": {"String": old} if isinstance(old, str) else old, "content": new}


def bpe(ids: dict[str, int], merges: list, **changes) -> dict:
    return {
        "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
        "fuse_unk": False, "byte_fallback": False, "ignore_merges": False, "vocab": ids, "merges": merges, **changes,
    }


def precompiled() -> dict:
    return {"type": "Precompiled", "precompiled_charsmap": charsmap.encode(charsmap.some_of_nmt_nfkc())}


# Byte-level BPE.


def gpt2(entries, merges):
    """As the file of openai-community/gpt2: its model has no type, its prefix and suffix are empty."""
    ids = numbered([*entries, "<|endoftext|>"])
    model = bpe(ids, merges, continuing_subword_prefix="", end_of_word_suffix="")
    for name in ["type", "byte_fallback", "ignore_merges"]:
        del model[name]
    part = byte_level_part()
    tokens = added(ids, "<|endoftext|>", normalized=True)
    config = {"model_max_length": 1024, "tokenizer_class": "GPT2Tokenizer", "clean_up_tokenization_spaces": True}
    return whole(tokens, None, part, byte_level_part(trim_offsets=False), part, model), config


def roberta(entries, merges):
    ids = numbered(["<s>", "<pad>", "</s>", "<unk>", *entries, "<mask>"])
    tokens = added(ids, "<s>", "<pad>", "</s>", "<unk>", normalized=True) + added(ids, "<mask>", lstrip=True)
    post = {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], "trim_offsets": True, "add_prefix_space": False}
    model = bpe(ids, merges, continuing_subword_prefix="", end_of_word_suffix="")
    config = {"tokenizer_class": "RobertaTokenizer", "mask_token": {"content": "<mask>", "lstrip": True}, "bos_token": "<s>"}
    return whole(tokens, None, byte_level_part(), post, byte_level_part(), model), config


def bart(entries, merges):
    """As roberta, as newer versions of transformers write it: a template in the processor's place."""
    tokenizer, config = roberta(entries, merges)
    ids = tokenizer["model"]["vocab"]
    tokenizer["post_processor"] = template(ids, "<s> $A </s>", "<s> $A </s> </s> $B </s>")
    return tokenizer, {**config, "tokenizer_class": "BartTokenizer"}


def opt(entries, merges):
    ids = numbered(["<s>", "<pad>", "</s>", "<unk>", *entries])
    post = template(ids, "</s> $A", "</s> $A </s> $B")
    model = bpe(ids, merges, unk_token="</s>", continuing_subword_prefix="", end_of_word_suffix="")
    tokens = added(ids, "<pad>", "</s>", normalized=True)
    config = {"tokenizer_class": "GPT2Tokenizer", "bos_token": "</s>", "add_bos_token": True}
    return whole(tokens, None, byte_level_part(), post, byte_level_part(), model), config


def gpt_neox(entries, merges):
    """Pythia's: composed characters, runs of blanks as added tokens that are not special."""
    blanks = [" " * count for count in (8, 7, 6, 5, 4, 3, 2)]
    ids = numbered(["<|endoftext|>", "<|padding|>", *entries, *blanks])
    tokens = added(ids, "<|endoftext|>", "<|padding|>") + added(ids, *blanks, special=False, normalized=True)
    post = byte_level_part(add_prefix_space=False)
    config = {"tokenizer_class": "GPTNeoXTokenizer", "unk_token": "<|endoftext|>", "add_prefix_space": False}
    return whole(tokens, {"type": "NFC"}, byte_level_part(), post, byte_level_part(), bpe(ids, merges)), config


def bloom(entries, merges):
    ids = numbered(["<unk>", "<s>", "</s>", "<pad>", *entries])
    pre = sequence("pretokenizers", split({"Regex": BLOOM}), byte_level_part(use_regex=False))
    post = byte_level_part(add_prefix_space=True, trim_offsets=False, use_regex=False)
    model = bpe(ids, merges)
    return whole(added(ids, "<unk>", "<s>", "</s>", "<pad>"), None, pre, post, post, model), {"tokenizer_class": "BloomTokenizer"}


def smollm(entries, merges):
    """SmolLM2's: every digit apart."""
    ids = numbered(["<|endoftext|>", "<|im_start|>", "<|im_end|>", *entries])
    pre = sequence("pretokenizers", {"type": "Digits", "individual_digits": True}, byte_level_part())
    tokens = added(ids, "<|endoftext|>", "<|im_start|>", "<|im_end|>")
    return whole(tokens, None, pre, None, byte_level_part(), bpe(ids, merges)), {"tokenizer_class": "GPT2Tokenizer"}


def llama3(entries, merges):
    """Its merges are pairs, and words that the vocabulary has whole are not merged."""
    ids = numbered([*entries, "ĠHello", "<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>"])
    pre = sequence("pretokenizers", split({"Regex": LLAMA3}), byte_level_part(use_regex=False))
    begin = template(ids, "<|begin_of_text|> $A", "<|begin_of_text|> $A <|begin_of_text|>:1 $B:1")
    post = sequence("processors", byte_level_part(trim_offsets=False), begin)
    tokens = added(ids, "<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>")
    model = bpe(ids, [merge.split(" ") for merge in merges], ignore_merges=True)
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<|begin_of_text|>", "clean_up_tokenization_spaces": True}
    return whole(tokens, None, pre, post, byte_level_part(), model), config


def qwen2(entries, merges):
    ids = numbered([*entries, "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>"])
    pre = sequence("pretokenizers", split({"Regex": QWEN2}), byte_level_part(use_regex=False))
    tokens = added(ids, "<|endoftext|>", "<|im_start|>", "<|im_end|>") + added(ids, "<tool_call>", "</tool_call>", special=False)
    post = byte_level_part(trim_offsets=False, use_regex=False)
    model = bpe(ids, merges, continuing_subword_prefix="", end_of_word_suffix="")
    config = {"tokenizer_class": "Qwen2Tokenizer", "bos_token": None, "clean_up_tokenization_spaces": False}
    return whole(tokens, {"type": "NFC"}, pre, post, byte_level_part(use_regex=False), model), config


# SentencePiece-style BPE.


def byte_pieces() -> list[str]:
    return [f"<0x{byte:02X}>" for byte in range(256)]


def fallback_decoder(strip: bool) -> dict:
    parts = [replace("▁", " "), {"type": "ByteFallback"}, {"type": "Fuse"}]
    return sequence("decoders", *parts, *([{"type": "Strip", "content": " ", "start": 1, "stop": 0}] if strip else []))


def llama2(pieces, merges):
    ids = numbered(["<unk>", "<s>", "</s>", *byte_pieces(), *pieces])
    normalizer = sequence("normalizers", {"type": "Prepend", "prepend": "▁"}, replace(" ", "▁"))
    post = template(ids, "<s> $A", "<s> $A <s>:1 $B:1")
    model = bpe(ids, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    config = {"tokenizer_class": "LlamaTokenizer", "bos_token": {"content": "<s>"}, "clean_up_tokenization_spaces": False}
    return whole(added(ids, "<unk>", "<s>", "</s>"), normalizer, None, post, fallback_decoder(strip=True), model), config


def mistral(pieces, merges):
    """Mistral 7B v0.3's, and Llama 2's as newer versions of transformers write it."""
    tokenizer, config = llama2(pieces, merges)
    tokenizer["normalizer"] = None
    tokenizer["pre_tokenizer"] = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}
    tokenizer["model"]["merges"] = [merge.split(" ") for merge in merges]
    tokenizer["added_tokens"] += added({"[INST]": 3 + 256 + len(pieces)}, "[INST]", special=False, normalized=True)
    return tokenizer, {**config, "legacy": False}


def gemma(pieces, merges):
    """Runs of line ends and of blanks, and tags, are added tokens that are not special."""
    extra = ["<unused0>", "\n", "\n\n", "\n\n\n", "<h1>", "</h1>"]
    ids = numbered(["<pad>", "<eos>", "<bos>", "<unk>", "<mask>", *extra, *byte_pieces(), *pieces])
    post = template(ids, "<bos> $A", "<bos> $A <bos>:1 $B:1")
    model = bpe(ids, [merge.split(" ") for merge in merges], unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    tokens = added(ids, "<pad>", "<eos>", "<bos>", "<unk>") + added(ids, "<mask>", *extra, "▁▁", "▁▁▁▁", special=False)
    pre = split({"String": " "}, "MergedWithPrevious")
    config = {"tokenizer_class": "GemmaTokenizer", "bos_token": "<bos>", "add_bos_token": True}
    return whole(tokens, replace(" ", "▁"), pre, post, fallback_decoder(strip=False), model), config


def m2m100(pieces, merges):
    """BPE without bytes to fall back on; the language stands before the text, on both sides."""
    ids = numbered(["<s>", "<pad>", "</s>", "<unk>", *pieces, "__de__", "__en__", "__ro__"])
    normalizer = sequence("normalizers", precompiled(), strip_right(), replace({"Regex": " {2,}"}, "▁"))
    post = template(ids, "__en__ $A </s>", "__en__ $A $B </s>")
    tokens = added(ids, "<s>", "<pad>", "</s>", "<unk>", "__de__", "__en__", "__ro__")
    model = bpe(ids, merges, unk_token="<unk>", fuse_unk=True)
    config = {"tokenizer_class": "M2M100Tokenizer", "src_lang": "en", "tgt_lang": "ro", "bos_token": "<s>"}
    return whole(tokens, normalizer, metaspace(), post, metaspace(), model), config


# Unigram.


def metaspace() -> dict:
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}


def old_metaspace() -> dict:
    return {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True}


def words_then(part: dict) -> dict:
    return sequence("pretokenizers", {"type": "WhitespaceSplit"}, part)


def strip_right() -> dict:
    return {"type": "Strip", "strip_left": False, "strip_right": True}


def unigram_model(vocab: list[list], unknown: int, **changes) -> dict:
    return {"type": "Unigram", "unk_id": unknown, "vocab": vocab, **changes}


def ids_of(vocab: list[list]) -> dict[str, int]:
    return numbered([piece for piece, _ in vocab])


def zero(*pieces: str) -> list[list]:
    return [[piece, 0.0] for piece in pieces]


def t5(pieces):
    """As the file of google-t5/t5-small."""
    sentinels = [f"<extra_id_{number}>" for number in range(9, -1, -1)]
    vocab = zero("<pad>", "</s>", "<unk>") + pieces + zero(*sentinels)
    ids = ids_of(vocab)
    post = template(ids, "$A </s>", "$A </s> $B </s>")
    tokens = added(ids, "<pad>", "</s>", "<unk>", *sentinels)
    config = {"tokenizer_class": "T5Tokenizer", "eos_token": "</s>", "extra_ids": 10, "clean_up_tokenization_spaces": True}
    pre = words_then(old_metaspace())
    return whole(tokens, precompiled(), pre, post, old_metaspace(), unigram_model(vocab, 2)), config


def flan_t5(pieces):
    """As newer conversions are: blanks made one by the normalizer, no prefix but at the start."""
    tokenizer, config = t5(pieces)
    tokenizer["normalizer"] = sequence("normalizers", precompiled(), strip_right(), replace({"Regex": " {2,}"}, "▁"))
    first = {**metaspace(), "prepend_scheme": "first"}
    tokenizer |= {"pre_tokenizer": first, "decoder": first}
    tokenizer["model"]["byte_fallback"] = False
    return tokenizer, {**config, "clean_up_tokenization_spaces": False}


def mbart(pieces):
    languages = ["de_DE", "en_XX", "ro_RO"]
    vocab = zero("<s>", "<pad>", "</s>", "<unk>") + pieces + zero(*languages, "<mask>")
    ids = ids_of(vocab)
    post = template(ids, "$A </s> en_XX", "$A $B </s> en_XX")
    tokens = added(ids, "<s>", "<pad>", "</s>", "<unk>", *languages) + added(ids, "<mask>", lstrip=True)
    config = {"tokenizer_class": "MBartTokenizer", "src_lang": "en_XX", "tgt_lang": "ro_RO", "mask_token": "<mask>"}
    return whole(tokens, precompiled(), words_then(metaspace()), post, metaspace(), unigram_model(vocab, 3)), config


def mbart50(pieces):
    tokenizer, config = mbart(pieces)
    ids = ids_of(tokenizer["model"]["vocab"])
    tokenizer["post_processor"] = template(ids, "en_XX $A </s>", "en_XX $A $B </s>")
    return tokenizer, {**config, "tokenizer_class": "MBart50Tokenizer"}


def xlm_roberta(pieces):
    """With the normalizer of its relative ALBERT, which has more steps."""
    vocab = zero("<s>", "<pad>", "</s>", "<unk>") + pieces + zero("<mask>")
    ids = ids_of(vocab)
    post = template(ids, "<s> $A </s>", "<s> $A </s> </s> $B </s>")
    tokens = added(ids, "<s>", "<pad>", "</s>", "<unk>") + added(ids, "<mask>", lstrip=True)
    parts = [replace("``", '"'), {"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}, precompiled()]
    normalizer = sequence("normalizers", *parts)
    config = {"tokenizer_class": "XLMRobertaTokenizer", "mask_token": "<mask>", "bos_token": "<s>"}
    return whole(tokens, normalizer, metaspace(), post, metaspace(), unigram_model(vocab, 3)), config


def marian(pieces):
    """As conversions of opus-mt are: the padding token is the last entry."""
    vocab = zero("</s>", "<unk>") + pieces + zero(">>fr<<", "<pad>")
    ids = ids_of(vocab)
    post = template(ids, "$A </s>", "$A </s> $B </s>")
    tokens = added(ids, "</s>", "<unk>", ">>fr<<", "<pad>")
    config = {"tokenizer_class": "MarianTokenizer", "source_lang": "en", "target_lang": "fr"}
    pre = words_then(old_metaspace())
    return whole(tokens, precompiled(), pre, post, old_metaspace(), unigram_model(vocab, 1)), config


# WordPiece.


def bert(lowercase: bool):
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    ids = numbered(word_pieces(lowercase, special))
    normalizer = {
        "type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": lowercase,
    }
    post = template(ids, "[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1")
    decoder = {"type": "WordPiece", "prefix": "##", "cleanup": True}
    model = {
        "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": ids,
    }
    config = {"do_lower_case": lowercase, "model_max_length": 512}
    return whole(added(ids, *special), normalizer, {"type": "BertPreTokenizer"}, post, decoder, model), config


def distilbert():
    """As bert, with the older processor, and spaces cleaned up after decoding as its settings say."""
    tokenizer, config = bert(lowercase=True)
    ids = tokenizer["model"]["vocab"]
    tokenizer["post_processor"] = {
        "type": "BertProcessing", "sep": ["[SEP]", ids["[SEP]"]], "cls": ["[CLS]", ids["[CLS]"]],
    }
    return tokenizer, {**config, "clean_up_tokenization_spaces": True, "mask_token": "[MASK]"}
