// scripts/inspect as people call it: the arrays of both engines against the
// reference, and one line and an exit code for whatever is wrong.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import {
  golden,
  largestDifference,
  readJson,
  readSafetensors,
  sharedFolder,
  tales,
} from "../package/support/files.js";
import {
  arraysOf,
  engines,
  folder,
  inspect,
  main,
  numbers,
  out,
  readNpy,
  writeNpy,
} from "./support.js";

const shared = sharedFolder("golden");
const folders = [
  ...["gpt2", "gpt_neox_parallel", "gpt_neox_sequential"],
  ...["llama_gqa", "llama_tied_bf16"],
].map((name) => join(golden, name));
if (shared) {
  folders.push(
    ...["gpt2", "gpt_neox", "llama_gqa"].map((name) => join(shared, name)),
  );
}

describe.each(engines)("engine %s", (engine) => {
  it.each(folders)("writes the reference's arrays of %s", (checkpoint) => {
    const right = readSafetensors(join(checkpoint, "golden.safetensors"));
    const { prompt, greedy } = readJson<Record<string, number[][]>>(
      join(checkpoint, "greedy.json"),
    );
    const ids = right.get("input_ids")!;
    expect(prompt![0]).toEqual(ids.data);
    const count = greedy![0]!.length - prompt![0]!.length;
    const arrays = arraysOf(
      ...[checkpoint, "--ids", ids.data.join(","), "--engine", engine],
      ...["--greedy", String(count)],
    );
    const names = [...right.keys()].filter((name) =>
      /^(logits|attentions\.\d+)$/.test(name),
    );
    expect([...arrays.keys()].sort()).toEqual(
      ["ids", "greedy", ...names].sort(),
    );
    expect(arrays.get("ids")!.data).toBeInstanceOf(BigInt64Array);
    expect(arrays.get("ids")!.shape).toEqual(ids.shape);
    expect(numbers(arrays.get("ids"))).toEqual(ids.data);
    expect(numbers(arrays.get("greedy"))).toEqual(greedy![0]);
    for (const name of names) {
      const { shape, data } = right.get(name)!;
      expect(arrays.get(name)!.shape).toEqual(shape);
      expect(
        largestDifference(numbers(arrays.get(name)), data),
        name,
      ).toBeLessThan(name === "logits" ? 1e-3 : 1e-5);
    }
  });

  it("tokenizes a text", () => {
    interface Story {
      readonly text: string;
      readonly prompt: number[];
      readonly greedy: number[];
    }
    const story = readJson<Story[]>(join(golden, "tales/greedy.json"))[0]!;
    const count = story.greedy.length - story.prompt.length;
    const arrays = arraysOf(
      ...[tales, "--text", story.text, "--greedy", String(count)],
      ...["--engine", engine],
    );
    expect(numbers(arrays.get("ids"))).toEqual(story.prompt);
    expect(numbers(arrays.get("greedy"))).toEqual(story.greedy);
  });

  it("adds recorded tensors by name", () => {
    const names = ["blocks.1.attn.hook_z", "ln_final.hook_normalized"];
    const arrays = arraysOf(
      ...[join(golden, "llama_gqa"), "--ids", "1,2,3"],
      ...["--tensors", names.join(","), "--engine", engine],
    );
    expect(arrays.get(names[0]!)!.shape).toEqual([1, 3, 6, 8]);
    expect(arrays.get(names[1]!)!.shape).toEqual([1, 3, 48]);
    const all = arraysOf(
      ...[join(golden, "llama_gqa"), "--ids", "1,2,3"],
      ...["--tensors", "all", "--engine", engine],
    );
    expect(all.get(names[0]!)).toEqual(arrays.get(names[0]!));
    expect([...all.keys()]).toContain("blocks.0.attn.hook_attn_scores");
  });

  it("hides padding, whose place on the left changes nothing", () => {
    const checkpoint = join(golden, "gpt2");
    const common = [checkpoint, "--engine", engine, "--greedy", "5"];
    const alone = arraysOf(...common, "--ids", "5,7,9");
    const left = arraysOf(
      ...[...common, "--ids", "0,0,5,7,9", "--attention-mask", "0,0,1,1,1"],
    );
    const vocabulary = alone.get("logits")!.shape[2]!;
    expect(
      largestDifference(
        numbers(left.get("logits")).slice(2 * vocabulary),
        numbers(alone.get("logits")),
      ),
    ).toBeLessThan(1e-5);
    expect(numbers(left.get("greedy")).slice(2)).toEqual(
      numbers(alone.get("greedy")),
    );
    const right = arraysOf(
      ...[...common, "--ids", "5,7,0,0", "--attention-mask", "1,1,0,0"],
    );
    const { shape, data } = right.get("attentions.0")!;
    expect(shape).toEqual([1, 4, 4, 4]);
    const columns = (data as Float32Array).filter((_, i) => i % 4 >= 2);
    expect(columns.every((weight) => weight === 0)).toBe(true);
  });

  it.each<[string, string[], string]>([
    ["an id past the vocabulary", ["--ids", "1,64"], "token-out-of-range: "],
    ["no ids", ["--ids", ""], "empty-input: "],
    [
      "a text that is too long",
      ["--ids", "1,".repeat(999) + "1"],
      "capacity-reached: ",
    ],
    [
      "more tokens than the context",
      ["--ids", "1", "--greedy", "999"],
      "invalid-argument: ",
    ],
    [
      "an unknown tensor",
      ["--ids", "1", "--tensors", "hook_x"],
      "unknown-tensor: ",
    ],
    [
      "a mask of another length",
      ["--ids", "1,2", "--attention-mask", "1"],
      "invalid-argument: ",
    ],
    ["a text without tokenizer", ["--text", "a"], "tokenizer-missing: "],
    [
      "decoder ids for a decoder",
      ["--ids", "1", "--decoder-ids", "1"],
      "invalid-argument: .*llama.*--decoder-ids",
    ],
    [
      "token types that the model lacks",
      ["--ids", "1", "--token-types", "0"],
      "invalid-argument: .*token types",
    ],
  ])("%s: exit code 1 and the reason", (_, words, reason) => {
    const result = inspect(
      join(golden, "llama_gqa"),
      ...words,
      "--engine",
      engine,
    );
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(new RegExp(`^error: ${reason}.*\n$`));
    expect(existsSync(out)).toBe(false);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["a folder that is not there", {}, /^error: fetch-failed: .*config\.json/],
    [
      "an unknown architecture",
      { "config.json": '{"model_type":"mamba"}' },
      /^error: unsupported-architecture: .*mamba/,
    ],
    [
      "weights that are none",
      {
        "config.json": readFileSync(join(golden, "gpt2/config.json"), "utf8"),
        "model.safetensors": "<!doctype html><p>hello</p>",
      },
      /^error: not-safetensors: .*model\.safetensors/,
    ],
    [
      "a model type that would steer the terminal",
      { "config.json": '{"model_type":"a\\u0000b\\n\\u001b[31m"}' },
      /^error: unsupported-architecture: .*'a\.b\.\.\[31m'.*\n$/,
    ],
  ])("%s: exit code 1 and the file", (name, files, message) => {
    const checkpoint = mkdtempSync(
      join(folder, `${name.replaceAll(" ", "-")}-`),
    );
    for (const [file, content] of Object.entries(files)) {
      writeFileSync(join(checkpoint, file), content);
    }
    const result = inspect(checkpoint, "--ids", "1", "--engine", engine);
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(message);
    expect(existsSync(out)).toBe(false);
  });
});

describe.each(engines)("engine %s, files that cannot be had", (engine) => {
  it.each(["config.json", "model.safetensors"])(
    "a folder in the place of %s: exit code 1 and its name",
    (file) => {
      const checkpoint = mkdtempSync(join(folder, "folder-"));
      const name = join(checkpoint, file);
      if (file !== "config.json") {
        const config = readFileSync(join(golden, "gpt2/config.json"));
        writeFileSync(join(checkpoint, "config.json"), config);
      }
      mkdirSync(name);
      const result = inspect(checkpoint, "--ids", "1", "--engine", engine);
      expect(result.status).toBe(1);
      expect(result.stderr).toMatch(/^error: fetch-failed: .*\n$/);
      expect(result.stderr).toContain(`${name} cannot be read`);
    },
  );

  it("an output that cannot be written: exit code 1 and its name", () => {
    const words = [join(golden, "gpt2"), "--ids", "1", "--engine", engine];
    const target = join(folder, "missing", "out.npz");
    const result = spawnSync(
      process.execPath,
      [main, ...words, "--out", target],
      { encoding: "utf8" },
    );
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(
      /^error: [^\n]* cannot be written: [^\n]*\n$/,
    );
    expect(result.stderr).toContain(target);
  });

  it("more tokens than a command line holds: exit code 1 and the reason", () => {
    const words = ["--text", "a".repeat(100_000), "--engine", engine];
    const result = inspect(tales, ...words);
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(/^error: capacity-reached: .*tokens.*\n$/);
  });
});

describe("both engines", () => {
  it("write the same names and shapes", () => {
    const words = [
      tales,
      "--text",
      "The cat",
      "--greedy",
      "3",
      "--tensors",
      "all",
    ];
    const [a, b] = engines.map((engine) =>
      arraysOf(...words, "--engine", engine),
    );
    expect([...a!.keys()]).toEqual([...b!.keys()]);
    for (const [name, { shape }] of a!) {
      expect(b!.get(name)!.shape, name).toEqual(shape);
    }
  });

  it.each(engines)("%s keeps matrices as told", (engine) => {
    const logitsAs = (...storage: string[]) =>
      arraysOf(tales, "--ids", "1,2,3", "--engine", engine, ...storage).get(
        "logits",
      )!.data;
    const plain = logitsAs();
    expect(logitsAs("--storage", "float32")).toEqual(plain);
    expect(logitsAs("--storage", "int8")).not.toEqual(plain);
  });
});

describe("a command that is wrong", () => {
  it.each<[string, string[], RegExp]>([
    ["without a folder", ["--ids", "1"], /FOLDER/],
    ["without text or ids", ["x"], /--text or --ids/],
    [
      "with text and ids",
      ["x", "--ids", "1", "--text", "a"],
      /--text or --ids/,
    ],
    ["with an unknown option", ["x", "--ids", "1", "--nope"], /--nope/],
    ["with ids that are none", ["x", "--ids", "1,two"], /two/],
    [
      "with a mask of twos",
      ["x", "--ids", "1", "--attention-mask", "2"],
      /zeros and ones/,
    ],
    ["with a folder without a name", ["", "--ids", "1"], /FOLDER is empty/],
    [
      "with a negative number",
      ["x", "--ids", "1", "--greedy", "-1"],
      /^error: .*--greedy=-XYZ.*\n.*--help.*\n$/,
    ],
    [
      "with a tensor without a name",
      ["x", "--ids", "1", "--tensors", ""],
      /--tensors.*empty name/,
    ],
    [
      "with an unknown storage kind",
      ["x", "--ids", "1", "--storage", "int4"],
      /--storage is 'int4', not float32, bfloat16, float16, int8/,
    ],
    ["with an unknown engine", ["x", "--ids", "1", "--engine", "gpu"], /gpu/],
    [
      "with two texts for the decoder",
      ["x", "--ids", "1", "--decoder-ids", "1", "--decoder-text", "a"],
      /--decoder-text and --decoder-ids/,
    ],
    [
      "with token types that are none",
      ["x", "--ids", "1", "--token-types", "a"],
      /--token-types: 'a'/,
    ],
  ])("%s: exit code 2", (_, words, message) => {
    const result = inspect(...words);
    expect(result.status).toBe(2);
    expect(result.stderr).toMatch(message);
  });

  it("is explained by --help", () => {
    const { status, stdout } = inspect("--help");
    expect(status).toBe(0);
    expect(stdout).toContain("--attention-mask");
  });
});

describe("the .npy format", () => {
  it("has the header that NumPy writes", () => {
    const bytes = writeNpy({ shape: [1, 2], data: BigInt64Array.of(3n, -1n) });
    const header = Buffer.from(bytes.subarray(0, 128)).toString("latin1");
    const settings =
      "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 2), }";
    expect(header).toBe(`\x93NUMPY\x01\x00v\x00${settings.padEnd(117)}\n`);
    expect([...bytes.subarray(128)]).toEqual([
      ...[3, 0, 0, 0, 0, 0, 0, 0],
      ...Array<number>(8).fill(255),
    ]);
  });

  it("comes back as it was", () => {
    const array = {
      shape: [2, 1, 3],
      data: Float32Array.of(1, NaN, 3, -0, 5, 6),
    };
    expect(readNpy(writeNpy(array))).toEqual(array);
  });
});
