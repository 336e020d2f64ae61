// Checks of what a caller gives, who may write JavaScript: a wrong kind of value
// is an error that names the option and the value. Read next:
// engine/run-options.ts.

import { AttnscopeError } from "./errors.js";

/** The largest number that the engine's 32-bit indices hold. */
const largestIndex = 2 ** 31 - 1;

/** A value as code shows it, so that '3' is not taken for 3. */
function shown(value: unknown): string {
  return typeof value === "string" ? `'${value.slice(0, 100)}'` : String(value);
}

/** The error about an option, and what it should be. */
export function wrong(
  name: string,
  value: unknown,
  wanted: string,
): AttnscopeError {
  return new AttnscopeError(
    "invalid-argument",
    `${name} is ${shown(value)}; it must be ${wanted}.`,
  );
}

/** A whole number from `least` to `most`, or an error that names it. */
export function whole(
  value: number,
  name: string,
  least: number,
  most = largestIndex,
): number {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw wrong(name, value, `a whole number from ${least} to ${most}`);
  }
  return value;
}

/** A number; which ones are allowed is for the engine. */
export function number(value: number, name: string): number {
  if (typeof value !== "number") throw wrong(name, value, "a number");
  return value;
}

/** One of a few names, or an error that lists them. */
export function oneOf(
  value: unknown,
  name: string,
  choices: readonly string[],
): void {
  if (!choices.some((choice) => choice === value)) {
    throw wrong(
      name,
      value,
      `${choices.slice(0, -1).join(", ")} or ${choices.at(-1) ?? ""}`,
    );
  }
}

export function list<T>(value: readonly T[], name: string): readonly T[] {
  if (!Array.isArray(value)) throw wrong(name, value, "an array");
  return value;
}
