// How a model's matrices are kept, and how far the present run is from one in
// float32: the same checkpoint loaded once more, for as long as that takes.
// Read next: read-outs.ts.

import {
  compareRuns,
  type CheckpointSource,
  type LoadOptions,
  type Model,
  type Run,
  type RunComparison,
  type StorageKind,
} from "attnscope";

export const storageKinds: readonly StorageKind[] = [
  "float32",
  "bfloat16",
  "float16",
  "int8",
];

export type LoadModel = (
  source: CheckpointSource,
  options: LoadOptions,
) => Promise<Model>;

/** Largest changes of a weight and of a logit against float32. */
export async function compareWithFloat32(
  load: LoadModel,
  source: CheckpointSource,
  options: LoadOptions,
  shown: Run,
  runOptions: Parameters<Model["run"]>[1],
): Promise<RunComparison> {
  const exact = await load(source, { ...options, storage: "float32" });
  try {
    const ids = ({ tokens }: Pick<Run, "tokens">) => tokens.map(({ id }) => id);
    const run = exact.config.encoder
      ? await exact.run(ids({ tokens: shown.sourceTokens }), {
          ...runOptions,
          target: ids(shown),
        })
      : await exact.run(ids(shown), runOptions);
    return await compareRuns(run, shown);
  } finally {
    exact.dispose();
  }
}
