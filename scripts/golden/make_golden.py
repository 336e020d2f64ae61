"""Makes the reference data under tests/golden with PyTorch and transformers.

`python3 make_golden.py --out tests/golden --tales web/public/models/tales`; --parts makes only some of it.
Everything is seeded: the same library versions give the same files.
Parts: decoders.py, encoders.py, encoder_decoders.py, tales.py, numerics.py.
"""

import argparse
from pathlib import Path

import decoders
import encoder_decoders
import encoders
import numerics
import tales
import torch
from transformers.utils.logging import disable_progress_bar

PARTS = ["decoders", "encoders", "encoder-decoders", "numerics", "tales"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tales", type=Path, help="the folder of the tales model; needed by the part tales")
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
        tales.make(options.tales, options.out)


if __name__ == "__main__":
    main()
