// Checkpoints made of a small one: with more words, so that a download takes
// more than one piece, and cut into several files with an index.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { safetensorsOf } from "./files.js";
import { noise } from "./random-model.js";

/** Files by name. */
export type Files = Map<string, Buffer>;

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

type Tensors = Map<string, { shape: readonly number[]; data: Uint8Array }>;

export function filesOf(folder: string): Files {
  return new Map(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]),
  );
}

function parse(file: Buffer): Tensors {
  const length = Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.toString("utf8", 8, 8 + length)) as Record<
    string,
    Entry
  >;
  delete header["__metadata__"];
  return new Map(
    Object.entries(header).map(([name, { shape, data_offsets }]) => {
      const [begin, end] = data_offsets.map((offset) => 8 + length + offset);
      return [name, { shape, data: file.subarray(begin, end) }];
    }),
  );
}

function write(tensors: Tensors): Buffer {
  const header: Record<string, Entry> = {};
  let offset = 0;
  for (const [name, { shape, data }] of tensors) {
    const end = offset + data.length;
    header[name] = { dtype: "F32", shape, data_offsets: [offset, end] };
    offset = end;
  }
  const data = new Uint8Array(offset);
  for (const [name, tensor] of tensors)
    data.set(tensor.data, header[name]!.data_offsets[0]);
  return Buffer.from(safetensorsOf(header, data));
}

/** The same checkpoint with more words; the attention of the old ones stays. */
export function withWords(files: Files, vocabulary: number): Files {
  const config = JSON.parse(files.get("config.json")!.toString()) as object;
  const tensors = parse(files.get("model.safetensors")!);
  const random = noise(1);
  for (const name of ["model.embed_tokens.weight", "lm_head.weight"]) {
    const { shape, data } = tensors.get(name)!;
    const [old, width] = shape as [number, number];
    const added = Float32Array.from(
      { length: (vocabulary - old) * width },
      random,
    );
    tensors.set(name, {
      shape: [vocabulary, width],
      data: Buffer.concat([data, new Uint8Array(added.buffer)]),
    });
  }
  return new Map([
    [
      "config.json",
      Buffer.from(JSON.stringify({ ...config, vocab_size: vocabulary })),
    ],
    ["model.safetensors", write(tensors)],
  ]);
}

/** The same checkpoint, its weights cut into several files. */
export function cut(files: Files, count: number): Files {
  const tensors = [...parse(files.get("model.safetensors")!)];
  const parts = new Map(files);
  parts.delete("model.safetensors");
  const weightMap: Record<string, string> = {};
  for (let part = 0; part < count; ++part) {
    const name = `model-0000${part + 1}-of-0000${count}.safetensors`;
    const mine = tensors.filter((_, index) => index % count === part);
    for (const [tensor] of mine) weightMap[tensor] = name;
    parts.set(name, write(new Map(mine)));
  }
  const index = { metadata: { total_size: 1 }, weight_map: weightMap };
  parts.set("model.safetensors.index.json", Buffer.from(JSON.stringify(index)));
  return parts;
}
