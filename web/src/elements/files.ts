// Files that a person chose or dropped, by path, as a checkpoint source. Which
// of them are the checkpoint is for the package.

import type { ModelSource } from "../state/state.js";

type FilesSource = Extract<ModelSource, { kind: "files" }>;

export function fromFileList(list: Iterable<File>): FilesSource | undefined {
  const files = [...list];
  const first = files[0];
  if (!first) return undefined;
  const folder = first.webkitRelativePath.split("/")[0];
  return {
    kind: "files",
    name: folder || first.name,
    files: new Map(
      files.map((file) => [file.webkitRelativePath || file.name, file]),
    ),
  };
}

/** Must be called within the drop event: its data is gone afterwards. */
export async function fromDrop(
  data: DataTransfer,
): Promise<FilesSource | undefined> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  const loose = [...data.files];
  const folder = entries.find((entry) => entry?.isDirectory);
  if (!folder) return fromFileList(loose);
  const files = new Map<string, File>();
  await collect(folder as FileSystemDirectoryEntry, files, deepest);
  return { kind: "files", name: folder.name, files };
}

/** Folders in the dropped one are looked into, what is in those is not. */
const deepest = 1;

async function collect(
  folder: FileSystemDirectoryEntry,
  files: Map<string, File>,
  depth: number,
): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    // Browsers hand out a folder's entries in parts, an empty one at the end.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return;
    for (const entry of part) {
      if (entry.isFile) {
        const file = await new Promise<File>((resolve, reject) =>
          (entry as FileSystemFileEntry).file(resolve, reject),
        );
        files.set(entry.fullPath, file);
      } else if (depth > 0) {
        await collect(entry as FileSystemDirectoryEntry, files, depth - 1);
      }
    }
  }
}
