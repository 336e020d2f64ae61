// Numbers as text: three significant digits in pictures, all of them on
// demand; bytes and times in units that people read.

/** Three significant digits; a true minus sign; 0 only for 0. */
export function brief(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (value === Infinity) return "∞";
  if (value === -Infinity) return "−∞";
  if (value === 0) return "0";
  const magnitude = Math.abs(value);
  const text =
    magnitude >= 1e5 || magnitude < 1e-4
      ? magnitude
          .toExponential(2)
          .replace(
            /e([+-])(\d+)/,
            (_, sign: string, digits: string) =>
              `·10${superscript((sign === "-" ? "-" : "") + digits)}`,
          )
      : magnitude >= 100
        ? magnitude.toFixed(0)
        : magnitude.toPrecision(3);
  return value < 0 ? `−${text}` : text;
}

/** As short as it can be: for marks on an axis. */
export function mark(value: number): string {
  return brief(value)
    .replace(/(\.\d*?)0+(?=·|$)/, "$1")
    .replace(/\.(?=·|$)/, "");
}

function superscript(digits: string): string {
  return digits.replace(/[-\d]/g, (c) =>
    c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]!,
  );
}

/** Every digit that tells this float32 from its neighbours. */
export function full(value: number): string {
  if (!Number.isFinite(value)) return brief(value);
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === Math.fround(value)) return text;
  }
  return value.toPrecision(9);
}

/**
 * The length of a bar in CSS. What is no number has none: CSS would ignore
 * 'NaN%' and leave the bar at the length of the number before.
 */
export function barLength(share: number, whole: number, unit: string): string {
  return `${(Number.isNaN(share) ? 0 : share * whole).toFixed(3)}${unit}`;
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1e3).toFixed(1)} kB`;
  if (count < 1e9) return `${(count / 1e6).toFixed(1)} MB`;
  return `${(count / 1e9).toFixed(2)} GB`;
}

export function milliseconds(value: number): string {
  return value < 1000
    ? `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`
    : `${(value / 1000).toFixed(1)} s`;
}

/** 1055616 -> '1.06 M'. */
export function count(value: number): string {
  if (value < 1e4) return String(value);
  if (value < 1e6) return `${(value / 1e3).toFixed(0)} k`;
  if (value < 1e9) return `${(value / 1e6).toPrecision(3)} M`;
  return `${(value / 1e9).toPrecision(3)} G`;
}
