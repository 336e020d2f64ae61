// A checkpoint's files become a model: the settings are read first, then the
// weights stream through, file after file. Where the bytes come from is for
// weight-files.ts. Read next: session.ts.

import { AttnscopeError } from "../errors.js";
import type { LoadProgress } from "../types.js";
import { findWeights, type Weights } from "../weight-files.js";
import type { Request } from "../worker-protocol.js";
import type { EngineModule } from "./module.js";
import {
  CheckpointWriter,
  readVocabularySize,
  type EngineModel,
} from "./session.js";

export async function loadCheckpoint(
  module: EngineModule,
  request: Request & { kind: "load" },
  onProgress: (progress: LoadProgress) => void,
  signal: AbortSignal | undefined,
): Promise<EngineModel> {
  const { configJson, configName, tokenizerSize } = request;
  const vocabularySize = naming(configName, () =>
    readVocabularySize(module, configJson),
  );
  if (tokenizerSize !== undefined && tokenizerSize > vocabularySize) {
    throw new AttnscopeError(
      "tokenizer-mismatch",
      `The tokenizer has ids up to ${tokenizerSize - 1}, the model's vocabulary ends at ` +
        `${vocabularySize - 1} (${configName}).`,
    );
  }
  const { folder, cache, stallTimeout } = request;
  const weights = await findWeights(folder, { signal, cache, stallTimeout });
  let writer: CheckpointWriter | undefined;
  try {
    const options = {
      numFiles: weights.files.length,
      storage: request.storage,
      memoryLimit: request.memoryLimit,
    };
    writer = naming(
      configName,
      () => new CheckpointWriter(module, configJson, options),
    );
    return await stream(weights, writer, onProgress);
  } catch (thrown) {
    weights.close();
    // An answer without a length may end early, and only the engine notices.
    if (thrown instanceof AttnscopeError && thrown.code === "truncated")
      for (const { file } of weights.files) await file.forget();
    throw thrown;
  } finally {
    writer?.dispose();
  }
}

async function stream(
  { files, total }: Weights,
  writer: CheckpointWriter,
  onProgress: (progress: LoadProgress) => void,
): Promise<EngineModel> {
  let loaded = 0;
  const tell = () => {
    // Of a compressed answer the server told the compressed size.
    const known = total !== undefined && loaded <= total;
    onProgress({
      stage: "weights",
      loaded,
      total: known ? total : undefined,
    });
  };
  tell();
  const last = files.length - 1;
  for (const [index, { file, open }] of files.entries()) {
    const { chunks } = await open();
    for await (const chunk of chunks) {
      naming(file.name, () => writer.append(chunk));
      loaded += chunk.length;
      tell();
    }
    if (index < last) naming(file.name, () => writer.nextFile());
  }
  return naming(files[last]!.file.name, () => writer.finish());
}

/** Faults of the engine name the file that they are about, once. */
function naming<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof AttnscopeError)) throw thrown;
    const bare = thrown.message.replace(/^config\.json: /, "");
    throw new AttnscopeError(thrown.code, `${name}: ${bare}`);
  }
}
