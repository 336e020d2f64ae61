// Pages of the tests in a headless Chromium, bundled as an outside page is.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { build } from "vite";

const executable = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export function startBrowser(): Promise<Browser> {
  if (!existsSync(executable)) {
    throw new Error(`no Chromium at ${executable}; CHROMIUM says where`);
  }
  return chromium.launch({
    executablePath: executable,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      // A name that browsers do not take for this machine: not secure by http.
      "--host-resolver-rules=MAP insecure.test 127.0.0.1",
    ],
  });
}

/** A page of this folder, bundled; remove() ends it. */
export async function bundle(
  name: string,
): Promise<{ folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "attnscope-"));
  await build({
    configFile: false,
    root: join(import.meta.dirname, "..", name),
    logLevel: "warn",
    build: { outDir: folder, emptyOutDir: true, target: "es2022" },
  });
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
