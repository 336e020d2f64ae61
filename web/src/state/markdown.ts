// The little of Markdown that model cards need, as plain data: headings,
// paragraphs, lists, tables, code; and in a line code, strong, emphasis, links.
// Anything else, HTML too, stays the text that it is. Read next:
// ../elements/as-model-card.ts.

export type Inline =
  | {
      readonly kind: "text" | "code" | "strong" | "emphasis";
      readonly text: string;
    }
  | { readonly kind: "link"; readonly text: string; readonly url: string };

export type Line = readonly Inline[];

export type Block =
  | { readonly kind: "heading" | "paragraph"; readonly line: Line }
  | { readonly kind: "list"; readonly items: readonly Line[] }
  | { readonly kind: "code"; readonly text: string }
  | {
      readonly kind: "table";
      readonly head: readonly Line[];
      readonly rows: readonly (readonly Line[])[];
    };

const fence = /^\s*(```|~~~)/;
const item = /^\s*(?:[-*+]|\d+[.)])\s+/;
const heading = /^#{1,6}\s+/;
const rule = /^\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$/;

export function readMarkdown(text: string): readonly Block[] {
  const lines = text
    .replace(/\r\n?/g, "\n")
    .replace(/^---\n[\s\S]*?\n---\n/, "") // settings for the hub
    .split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const start = at;
    const rest = (holds: (line: string) => boolean) => {
      while (at < lines.length && holds(lines[at]!)) at += 1;
      return lines.slice(start, at);
    };
    const line = lines[at]!;
    if (line.trim() === "") {
      at += 1;
    } else if (fence.test(line)) {
      at += 1;
      const code = rest((one) => !fence.test(one)).slice(1);
      at += 1;
      blocks.push({ kind: "code", text: code.join("\n") });
    } else if (heading.test(line)) {
      at += 1;
      blocks.push({
        kind: "heading",
        line: readLine(line.replace(heading, "").replace(/\s+#+\s*$/, "")),
      });
    } else if (rule.test(lines[at + 1] ?? "") && line.includes("|")) {
      const [head, , ...rows] = rest((one) => one.includes("|")).map(cellsOf);
      blocks.push({ kind: "table", head: head!, rows });
    } else if (item.test(line)) {
      const items: string[] = [];
      for (const one of rest((one) => one.trim() !== "")) {
        if (item.test(one)) items.push(one.replace(item, ""));
        else items.push(`${items.pop() ?? ""} ${one.trim()}`);
      }
      blocks.push({ kind: "list", items: items.map(readLine) });
    } else {
      const paragraph = rest(
        (one) =>
          one.trim() !== "" &&
          !fence.test(one) &&
          !heading.test(one) &&
          !item.test(one),
      );
      blocks.push({
        kind: "paragraph",
        line: readLine(paragraph.map((one) => one.trim()).join(" ")),
      });
    }
  }
  return blocks;
}

function cellsOf(row: string): readonly Line[] {
  return row
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => readLine(cell.trim()));
}

const spans =
  /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/g;

function readLine(text: string): Line {
  const parts: Inline[] = [];
  let from = 0;
  for (const found of text.matchAll(spans)) {
    if (found.index > from) {
      parts.push({ kind: "text", text: text.slice(from, found.index) });
    }
    from = found.index + found[0].length;
    const [, code, strong, emphasis, label, url] = found;
    if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (strong !== undefined) parts.push({ kind: "strong", text: strong });
    else if (emphasis !== undefined) {
      parts.push({ kind: "emphasis", text: emphasis });
    } else parts.push({ kind: "link", text: label!, url: url! });
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}
