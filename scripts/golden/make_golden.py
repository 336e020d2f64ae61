"""Makes the reference data under tests/golden with PyTorch and transformers.

`python3 make_golden.py --out tests/golden --models web/public/models`; --parts makes only some of it.
Everything is seeded: the same library versions give the same files.
Parts: decoders.py, encoders.py, encoder_decoders.py, tales.py, echo.py, bridge.py, numerics.py, tokenizer_golden.py.
"""

import argparse
from pathlib import Path

import bridge
import decoders
import echo
import encoder_decoders
import encoders
import numerics
import tales
import tokenizer_golden
import torch
from transformers.utils.logging import disable_progress_bar

PARTS = ["decoders", "encoders", "encoder-decoders", "numerics", "tales", "echo", "bridge", "tokenizers"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--models", type=Path, help="the folder of the bundled models; needed by the parts of that name")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    options = parser.parse_args()
    disable_progress_bar()
    torch.set_num_threads(1)
    if "decoders" in options.parts:
        decoders.make(options.out)
    if "encoders" in options.parts:
        encoders.make(options.out)
    if "encoder-decoders" in options.parts:
        encoder_decoders.make(options.out)
    if "numerics" in options.parts:
        numerics.make(options.out / "numerics.json")
    if "tales" in options.parts:
        tales.make(options.models / "tales", options.out)
    if "echo" in options.parts:
        echo.make(options.models / "echo", options.out)
    if "bridge" in options.parts:
        bridge.make(options.models / "bridge", options.out)
    if "tokenizers" in options.parts:
        tokenizer_golden.make(options.out / "tokenizers")


if __name__ == "__main__":
    main()
