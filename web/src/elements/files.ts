// Files that a person chose or dropped, by name, as a checkpoint source. A
// folder counts as the files directly in it.

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
    files: new Map(files.map((file) => [file.name, file])),
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
  const files = await filesIn(folder as FileSystemDirectoryEntry);
  return {
    kind: "files",
    name: folder.name,
    files: new Map(files.map((file) => [file.name, file])),
  };
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  for (;;) {
    // Browsers hand out a folder's entries in parts, an empty one at the end.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return files;
    for (const entry of part) {
      if (!entry.isFile) continue;
      files.push(
        await new Promise<File>((resolve, reject) =>
          (entry as FileSystemFileEntry).file(resolve, reject),
        ),
      );
    }
  }
}
