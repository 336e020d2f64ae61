// scripts/inspect: from a command line to an .npz file. Faults are one line on
// standard error and exit code 1; a wrong command is exit code 2.
// Read next: command.mjs, native-engine.mjs, wasm-engine.mjs, npy.mjs.

import console from "node:console";
import { writeFile } from "node:fs/promises";
import process from "node:process";

import { AttnscopeError } from "attnscope";

import { parseCommand, usage, UsageError } from "./command.mjs";
import { runNative } from "./native-engine.mjs";
import { zipArrays } from "./npy.mjs";
import { encodeTarget, encodeText } from "./text.mjs";
import { runWasm } from "./wasm-engine.mjs";

async function main(words) {
  const command = parseCommand(words);
  if (command === "help") {
    console.log(usage);
    return;
  }
  const { folder, text, decoderText } = command;
  const ids = command.ids ?? (await encodeText(folder, text));
  const decoderIds =
    decoderText === undefined
      ? command.decoderIds
      : await encodeTarget(folder, ids, decoderText);
  checkMask(command.attentionMask, ids);
  const engine = command.engine === "native" ? runNative : runWasm;
  const files = await engine({ ...command, ids, decoderIds });
  await writeFile(command.out, zipArrays(files)).catch((thrown) => {
    throw new Error(`${command.out} cannot be written: ${thrown.message}`);
  });
  console.log(`${command.out}: ${[...files.keys()].join(", ")}`);
}

function checkMask(attentionMask, ids) {
  if (attentionMask !== undefined && attentionMask.length !== ids.length) {
    throw new AttnscopeError(
      "invalid-argument",
      `the attention mask has ${attentionMask.length} numbers, the text has ${ids.length} tokens.`,
    );
  }
}

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  const wrongCommand = thrown instanceof UsageError;
  const code = thrown instanceof AttnscopeError ? `${thrown.code}: ` : "";
  console.error(`error: ${code}${thrown.message}`);
  if (wrongCommand) console.error("scripts/inspect --help lists the options.");
  process.exitCode = wrongCommand ? 2 : 1;
}
