// Getting the engine going: a missing or wrong module file is named, a module
// that computes wrongly gives way to the next and the report says so.
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  it,
  vi,
} from "vitest";

import type { LoadOptions } from "attnscope";

import { startModule } from "../../wasm/src/module-loader.js";
import { root, urlOf } from "./support/files.js";
import { faultOf, load, tiny } from "./support/models.js";
import { bytes, page, serve, type TestServer } from "./support/server.js";

const dist = join(root, "wasm/dist");
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "attnscope-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A folder of modules in which a variant's script wraps the real one. */
function modulesWith(name: string, variant: string, wrapper: string): URL {
  const to = join(folder, name);
  for (const kind of ["simd128", "scalar"]) {
    for (const suffix of ["mjs", "wasm"]) {
      const file = `attnscope-${kind}.${suffix}`;
      cpSync(join(dist, file), join(to, file));
    }
  }
  const real = join(to, `attnscope-${variant}.mjs`);
  cpSync(real, join(to, "real.mjs"));
  writeFileSync(real, `import make from "./real.mjs";\n${wrapper}`);
  return urlOf(to);
}

/** Calls of one method of a session give something else. */
function sessionThat(method: string, body: string): string {
  return `export default async (settings) => {
    const module = await make(settings);
    const right = module.Session.prototype.${method};
    module.Session.prototype.${method} = function (...given) {
      const result = right.apply(this, given);
      ${body}
      return result;
    };
    return module;
  };`;
}

async function reportOf(options: LoadOptions) {
  using model = await load(tiny, options);
  const run = await model.run([1, 2, 3]);
  expect((await run.weights(0, 0)).data[0]).toBe(1);
  return model.variant;
}

describe("a module that computes wrongly", () => {
  const variant = "simd128";

  it.each([
    ["a logit", sessionThat("logits", "result[7] += 0.01;"), /logit 7/],
    ["NaN", sessionThat("logits", "result[3] = NaN;"), /logit 3 is NaN/],
    [
      "a weight",
      sessionThat("headCells", "result.value.data[75] *= 1.1;"),
      /weight 3/,
    ],
    [
      "a trap",
      sessionThat("decodeStep", `throw new WebAssembly.RuntimeError("trap");`),
      /trap/,
    ],
  ])(
    "%s: the scalar one runs instead and says so",
    async (name, script, why) => {
      const moduleBase = modulesWith(name, variant, script);
      const report = await reportOf({ variant, moduleBase });
      expect(report.variant).toBe("scalar");
      expect(report.kernels).toBe("scalar");
      expect(report.reasons).toHaveLength(1);
      expect(report.reasons[0]).toMatch(/^simd128 computes wrongly here: /);
      expect(report.reasons[0]).toMatch(why);
    },
  );

  it("is refused where it is the last", async () => {
    const wrong = sessionThat("logits", "result[7] += 0.01;");
    const moduleBase = modulesWith("last", "scalar", wrong);
    const fault = await faultOf(load(tiny, { variant: "scalar", moduleBase }));
    expect(fault.code).toBe("self-test-failed");
    expect(fault.message).toContain("logit 7");
  });
});

describe("an engine without SIMD", () => {
  it("runs the scalar module and says why", async () => {
    vi.spyOn(WebAssembly, "validate").mockReturnValue(false);
    const report = await reportOf({});
    expect(report.variant).toBe("scalar");
    expect(report.reasons.join()).toContain("no SIMD");
    expect(await faultOf(load(tiny, { variant: "simd128" }))).toMatchObject({
      code: "unsupported-variant",
    });
  });
});

describe("a module file that is not there", () => {
  const variant = "scalar";
  const binary = readFileSync(join(dist, "attnscope-scalar.wasm"));
  let server: TestServer;
  beforeAll(async () => {
    server = await serve({
      "/html/attnscope-scalar.wasm": page(200),
      "/untyped/attnscope-scalar.wasm": bytes("<!doctype html><p>hello"),
      "/cut/attnscope-scalar.wasm": bytes(binary.subarray(0, 5000)),
    });
  });
  afterAll(() => {
    server.close();
  });

  // Node imports no scripts by http, so only the binary's errors show here;
  // browser.test.ts has the script's.
  const startFrom = (path: string) =>
    startModule({ variant, moduleBase: server.origin + path }, () => undefined);

  it.each([
    ["/missing", /\/missing\/attnscope-scalar\.wasm.*404/],
    ["/html", /\/html\/attnscope-scalar\.wasm.*HTML/],
    [
      "/untyped",
      /\/untyped\/attnscope-scalar\.wasm is not WebAssembly.*doctype html/,
    ],
    ["/cut", /\/cut\/attnscope-scalar\.wasm cannot be compiled/],
  ])("%s: the error names its URL and what came", async (path, message) => {
    const fault = await faultOf(startFrom(path));
    expect(fault.code).toBe("module-missing");
    expect(fault.message).toMatch(message);
  });

  it("from disk: the error names the file", async () => {
    const moduleBase = urlOf(join(folder, "empty"));
    const fault = await faultOf(load(tiny, { variant, moduleBase }));
    expect(fault.code).toBe("module-missing");
    expect(fault.message).toMatch(/empty\/attnscope-scalar\.(wasm|mjs)/);
  });

  it("as another script: the error names it", async () => {
    const moduleBase = modulesWith("other", variant, "export const x = 1;");
    const fault = await faultOf(load(tiny, { variant, moduleBase }));
    expect(fault.code).toBe("module-missing");
    expect(fault.message).toContain("other/attnscope-scalar.mjs");
  });
});
