/** A row of the tree of files. A folder that has nothing but one folder stands in one row with it. */
export type TreeRow =
  | { readonly kind: 'folder'; readonly depth: number; readonly name: string }
  | { readonly kind: 'file'; readonly depth: number; readonly name: string; readonly file: number };

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: { readonly name: string; readonly file: number }[];
}

/** The tree of some paths as rows. The numbers of the files are their places in `paths`. */
export function fileTree(paths: readonly string[]): TreeRow[] {
  const root: Folder = { folders: new Map(), files: [] };
  for (const [file, path] of paths.entries()) {
    const parts = path.split('/');
    const name = parts.pop() ?? path;
    let folder = root;
    for (const part of parts) {
      const inner: Folder = folder.folders.get(part) ?? { folders: new Map(), files: [] };
      folder.folders.set(part, inner);
      folder = inner;
    }
    folder.files.push({ name, file });
  }
  const rows: TreeRow[] = [];
  pushFolder(rows, root, 0);
  return rows;
}

function pushFolder(rows: TreeRow[], { folders, files }: Folder, depth: number): void {
  for (const [first, folder] of folders) {
    let name = first;
    let inner = folder;
    while (inner.files.length === 0 && inner.folders.size === 1) {
      const [next] = inner.folders;
      if (next === undefined) break;
      name += `/${next[0]}`;
      inner = next[1];
    }
    rows.push({ kind: 'folder', depth, name });
    pushFolder(rows, inner, depth + 1);
  }
  for (const { name, file } of files) rows.push({ kind: 'file', depth, name, file });
}
