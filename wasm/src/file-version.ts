// Which state of a file a server speaks of, by what it says in headers: ETag,
// date and size. Read next: remote-file.ts.

/** Null where the server does not say, or the browser may not see it. */
export interface FileVersion {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Size as announced, in bytes; of a compressed answer that of the compression. */
  readonly length: number | null;
}

/** The version that an answer is of; `start` is where its bytes begin. */
export function versionOf(
  { headers, status }: Response,
  start = 0,
): FileVersion {
  // A hub's redirect tells the ETag of what it leads to; mirrors that send the
  // file themselves may keep that one alone. Compression makes an ETag weak.
  const etag = headers.get("etag") ?? headers.get("x-linked-etag");
  return {
    etag: etag && etag.replace(/^W\//, ""),
    lastModified: headers.get("last-modified"),
    length: status === 206 ? wholeLength(headers, start) : sent(headers),
  };
}

function wholeLength(headers: Headers, start: number): number | null {
  const total = /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1];
  if (total !== undefined) return Number(total);
  // Other origins must allow that header to be seen, the length never.
  const rest = sent(headers);
  return rest === null ? null : start + rest;
}

function sent(headers: Headers): number | null {
  const length = headers.get("content-length");
  return length === null || headers.has("content-encoding")
    ? null
    : Number(length);
}

/** Whether a file of this version can be known again. */
export function isNamed({ etag, lastModified }: FileVersion): boolean {
  return etag !== null || lastModified !== null;
}

/** "unknown" if nothing differs and nothing but the size agrees. */
export function compare(
  a: FileVersion,
  b: FileVersion,
): "same" | "different" | "unknown" {
  const verdicts = (["etag", "lastModified", "length"] as const).map((key) =>
    a[key] === null || b[key] === null ? undefined : a[key] === b[key],
  );
  const [etag, lastModified, length] = verdicts;
  if (length === false) return "different";
  const named = etag ?? lastModified;
  return named === undefined ? "unknown" : named ? "same" : "different";
}
