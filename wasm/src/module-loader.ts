// Gets the engine going: fetches a variant's .mjs and .wasm, makes sure that
// they are what they should be, instantiates the module and lets it prove
// itself; a variant that computes wrongly gives way to the next.
// Read next: self-test.ts, engine/host.ts.

import { defaultStallTimeout } from "./connection.js";
import type { EngineModule } from "./engine/module.js";
import { AttnscopeError, describe } from "./errors.js";
import { chooseVariants, probeFeatures } from "./features.js";
import { readable } from "./file-reader.js";
import { folderUrl } from "./folder-url.js";
import { selfTest } from "./self-test.js";
import type { LoadProgress, Variant, VariantReport } from "./types.js";

interface ModuleUrls {
  readonly script: URL;
  readonly binary: URL;
}

// Written out, so that bundlers see the files.
const ownUrls: Record<Variant, () => ModuleUrls> = {
  relaxed: () => ({
    script: new URL("./attnscope-relaxed.mjs", import.meta.url),
    binary: new URL("./attnscope-relaxed.wasm", import.meta.url),
  }),
  simd128: () => ({
    script: new URL("./attnscope-simd128.mjs", import.meta.url),
    binary: new URL("./attnscope-simd128.wasm", import.meta.url),
  }),
  scalar: () => ({
    script: new URL("./attnscope-scalar.mjs", import.meta.url),
    binary: new URL("./attnscope-scalar.wasm", import.meta.url),
  }),
};

export interface StartOptions {
  readonly variant: Variant | undefined;
  /** Folder of the files; default: beside this code. */
  readonly moduleBase: string | undefined;
}

/** The fastest variant that runs and computes rightly here. */
export async function startModule(
  options: StartOptions,
  onProgress: (progress: LoadProgress) => void,
  signal?: AbortSignal,
): Promise<{ module: EngineModule; report: VariantReport }> {
  const { variants, reasons } = chooseVariants(
    probeFeatures(),
    options.variant,
  );
  const failures = [...reasons];
  for (const variant of variants) {
    const module = await loadModule(
      urlsOf(variant, options.moduleBase),
      onProgress,
      signal,
    );
    const failure = selfTest(module);
    if (failure === undefined) {
      return {
        module,
        report: { variant, kernels: module.kernels().name, reasons: failures },
      };
    }
    failures.push(`${variant} computes wrongly here: ${failure}`);
  }
  throw new AttnscopeError("self-test-failed", failures.join("; "));
}

function urlsOf(variant: Variant, moduleBase: string | undefined): ModuleUrls {
  if (moduleBase === undefined) return ownUrls[variant]();
  const folder = folderUrl(moduleBase);
  return {
    script: new URL(`attnscope-${variant}.mjs`, folder),
    binary: new URL(`attnscope-${variant}.wasm`, folder),
  };
}

type ModuleFactory = (settings: {
  /** Instantiates on behalf of the script, and gives it the instance. */
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance) => void,
  ): object;
}) => Promise<EngineModule>;

async function loadModule(
  urls: ModuleUrls,
  onProgress: (progress: LoadProgress) => void,
  signal: AbortSignal | undefined,
): Promise<EngineModule> {
  const script = importFactory(urls.script);
  // Where both are missing, the binary is the one to name.
  script.catch(() => undefined);
  const binary = await fetchBinary(urls.binary, onProgress, signal);
  const compiled = await naming(urls.binary, WebAssembly.compile(binary));
  const factory = await script;
  // The script would print and abort where this only fails.
  const instance = new Promise<EngineModule>((resolve, reject) => {
    factory({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(compiled, imports).then(receive, reject);
        return {};
      },
    }).then(resolve, reject);
  });
  return naming(urls.binary, instance);
}

async function naming<T>(url: URL, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw new AttnscopeError(
      "module-missing",
      `${url.href} cannot be compiled: ${describe(thrown)}`,
    );
  }
}

async function fetchBinary(
  url: URL,
  onProgress: (progress: LoadProgress) => void,
  signal: AbortSignal | undefined,
): Promise<ArrayBuffer> {
  const bytes = await fetchBytes(url, onProgress, signal);
  const magic = [0, 0x61, 0x73, 0x6d]; // "\0asm"
  if (!magic.every((byte, index) => bytes[index] === byte)) {
    const start = new TextDecoder().decode(bytes.subarray(0, 40));
    throw new AttnscopeError(
      "module-missing",
      `${url.href} is not WebAssembly: ${bytes.length} bytes came that start with ${JSON.stringify(start)}.`,
    );
  }
  return bytes.buffer;
}

async function fetchBytes(
  url: URL,
  onProgress: (progress: LoadProgress) => void,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let loaded = 0;
  try {
    const stream = await readable(
      { kind: "url", url: url.href },
      { signal, cache: false, stallTimeout: defaultStallTimeout },
    ).open();
    for await (const chunk of stream.chunks) {
      chunks.push(chunk.slice());
      loaded += chunk.length;
      onProgress({ stage: "module", loaded, total: stream.total });
    }
  } catch (thrown) {
    if (thrown instanceof AttnscopeError && thrown.code === "fetch-failed") {
      throw new AttnscopeError("module-missing", thrown.message);
    }
    throw thrown;
  }
  const bytes = new Uint8Array(loaded);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

async function importFactory(url: URL): Promise<ModuleFactory> {
  let script: { default?: unknown };
  try {
    script = (await import(/* @vite-ignore */ url.href)) as {
      default?: unknown;
    };
  } catch (thrown) {
    // A browser does not say what came; asking again does.
    await fetchBytes(url, () => undefined, undefined);
    throw new AttnscopeError(
      "module-missing",
      `${url.href} cannot be run: ${describe(thrown)}`,
    );
  }
  if (typeof script.default !== "function") {
    throw new AttnscopeError(
      "module-missing",
      `${url.href} is not the engine's script.`,
    );
  }
  return script.default as ModuleFactory;
}
