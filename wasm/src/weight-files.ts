// A checkpoint's weights, in one file or in several that an index names. The
// index may be anybody's: every name in it is checked before it is asked for.
// Read next: engine/host.ts.

import {
  locate,
  locateNeeded,
  missing,
  type Folder,
} from "./checkpoint-source.js";
import type { Reading } from "./connection.js";
import { AttnscopeError } from "./errors.js";
import {
  ifThere,
  readable,
  readText,
  type ReadableFile,
} from "./file-reader.js";
import { NotThere, type ByteStream } from "./remote-file.js";

const singleName = "model.safetensors";
/** Several times as many as any that fits into the engine's memory has. */
const mostFiles = 1000;
const indexName = "model.safetensors.index.json";

export interface WeightFile {
  readonly file: ReadableFile;
  open(): Promise<ByteStream>;
}

export interface Weights {
  /** Bytes of all files, where known. */
  readonly total: number | undefined;
  readonly files: readonly WeightFile[];
  /** For weights that nobody reads. */
  close(): void;
}

export async function findWeights(
  folder: Folder,
  reading: Reading,
): Promise<Weights> {
  const single = locate(folder, singleName);
  let absent = missing(folder, singleName);
  if (single !== undefined) {
    const file = readable(single, reading);
    try {
      // Opening it is the surest way to see whether it is there.
      const stream = await file.open();
      const open = () => Promise.resolve(stream);
      return {
        total: stream.total,
        files: [{ file, open }],
        close: () => stream.close(),
      };
    } catch (thrown) {
      if (!(thrown instanceof NotThere)) throw thrown;
      absent = thrown;
    }
  }
  const indexFile = locate(folder, indexName);
  const index = indexFile && readable(indexFile, reading);
  const json = index && (await ifThere(readText(index)));
  if (index === undefined || json === undefined) {
    throw new AttnscopeError(
      absent.code,
      `${absent.message} ${indexName} is not there either.`,
    );
  }
  const files = readIndex(json, index.name).map((name) =>
    readable(locateNeeded(folder, name), reading),
  );
  const sizes = await Promise.all(files.map((file) => file.size()));
  const total = sizes.reduce(
    (sum, size) =>
      sum === undefined || size === undefined ? undefined : sum + size,
    0,
  );
  return {
    total,
    files: files.map((file) => ({ file, open: () => file.open() })),
    close: () => undefined,
  };
}

/** The files that an index spreads the tensors over, each once. */
export function readIndex(json: string, indexName: string): string[] {
  const refuse = (what: string) =>
    new AttnscopeError("invalid-config", `${indexName}: ${what}.`);
  let index: unknown;
  try {
    index = JSON.parse(json);
  } catch {
    throw refuse("it is not JSON");
  }
  const map = (index as { weight_map?: unknown } | null)?.weight_map;
  if (typeof map !== "object" || map === null || Array.isArray(map))
    throw refuse("weight_map is missing, or no object");
  const names = new Set<string>();
  for (const [tensor, name] of Object.entries(map as Record<string, unknown>)) {
    if (typeof name !== "string" || !/^\w[\w.-]*\.safetensors$/.test(name)) {
      const shown = (JSON.stringify(name) ?? "nothing").slice(0, 100);
      throw refuse(
        `'${tensor.slice(0, 100)}' is in ${shown}, which is not the name of a safetensors file beside it`,
      );
    }
    names.add(name);
  }
  if (names.size === 0 || names.size > mostFiles) {
    throw refuse(
      `weight_map names ${names.size} files, it must be 1 to ${mostFiles}`,
    );
  }
  return [...names].sort();
}
