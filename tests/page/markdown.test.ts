// Model cards as plain data: what is read of Markdown, and that nothing else
// becomes anything but text.

import { expect, test } from "vitest";
import { readMarkdown } from "../../web/src/state/markdown.js";

test("blocks and spans of a model card", () => {
  const card = [
    "---",
    "license: mit",
    "---",
    "# bridge",
    "",
    "A **small** translator",
    "with `code` and *care*, see [its page](https://example.org/a).",
    "",
    "| kind | share |",
    "|---|---:|",
    "| verbs | 0.98 |",
    "",
    "- one",
    "  more",
    "- two",
    "",
    "```",
    "# not a heading",
    "```",
  ].join("\n");
  expect(readMarkdown(card)).toEqual([
    { kind: "heading", line: [{ kind: "text", text: "bridge" }] },
    {
      kind: "paragraph",
      line: [
        { kind: "text", text: "A " },
        { kind: "strong", text: "small" },
        { kind: "text", text: " translator with " },
        { kind: "code", text: "code" },
        { kind: "text", text: " and " },
        { kind: "emphasis", text: "care" },
        { kind: "text", text: ", see " },
        { kind: "link", text: "its page", url: "https://example.org/a" },
        { kind: "text", text: "." },
      ],
    },
    {
      kind: "table",
      head: [
        [{ kind: "text", text: "kind" }],
        [{ kind: "text", text: "share" }],
      ],
      rows: [
        [[{ kind: "text", text: "verbs" }], [{ kind: "text", text: "0.98" }]],
      ],
    },
    {
      kind: "list",
      items: [
        [{ kind: "text", text: "one more" }],
        [{ kind: "text", text: "two" }],
      ],
    },
    { kind: "code", text: "# not a heading" },
  ]);
});

test.each([
  "<script>alert(1)</script>",
  '<img src=x onerror="alert(1)">',
  "[go](javascript:alert(1))",
  "[go](data:text/html,x)",
  "a | b",
  "2 * 3 * 4 and snake_case_name",
  "**",
  "`",
])("%j stays the text that it is", (text) => {
  expect(readMarkdown(text)).toEqual([
    { kind: "paragraph", line: [{ kind: "text", text }] },
  ]);
});

test.each(["", "\n\n", "```", "```\nnever closed", "|\n|-|", "- ", "#", "---"])(
  "%j is read to its end",
  (text) => {
    expect(readMarkdown(text)).toBeInstanceOf(Array);
  },
);
