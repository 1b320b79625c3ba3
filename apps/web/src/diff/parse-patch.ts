export interface DiffLine {
  readonly kind: 'same' | 'added' | 'deleted';
  readonly text: string;
  /** Its number in the old file; null for an added line. */
  readonly oldLine: number | null;
  /** Its number in the new file; null for a deleted line. */
  readonly newLine: number | null;
  /** It is the last line of its file and does not end with a line break. */
  isUnended: boolean;
}

export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  /** The function or heading around it, as git found it; often empty. */
  readonly section: string;
  readonly lines: readonly DiffLine[];
}

export interface PatchFile {
  /** The new path; of a deleted file the old one. */
  path: string;
  /** The path before, of a renamed or copied file. */
  from: string | null;
  change: 'added' | 'deleted' | 'changed' | 'renamed' | 'copied';
  isBinary: boolean;
  /** The modes before and after, where the mode of the file changed. */
  mode: { readonly old: string; readonly new: string } | null;
  /** The ids of the contents before and after, as git shortened them; null where the content is the same. */
  blobs: { readonly old: string; readonly new: string } | null;
  readonly hunks: Hunk[];
}

interface Reader {
  readonly lines: readonly string[];
  at: number;
}

/** Reads a patch of git. Lines between files that are not of the format are left out, as `git apply` does. */
export function parsePatch(patch: string): PatchFile[] {
  const reader: Reader = { lines: patch.split('\n'), at: 0 };
  const files: PatchFile[] = [];
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at] ?? '';
    if (line.startsWith('diff --git ')) files.push(readFile(reader));
    else reader.at += 1;
  }
  return files;
}

function readFile(reader: Reader): PatchFile {
  const file: PatchFile = {
    path: headerPath((reader.lines[reader.at] ?? '').slice('diff --git '.length)),
    from: null,
    change: 'changed',
    isBinary: false,
    mode: null,
    blobs: null,
    hunks: [],
  };
  const modes = { old: '', new: '' };
  for (reader.at += 1; reader.at < reader.lines.length; ) {
    const line = reader.lines[reader.at] ?? '';
    if (line.startsWith('diff --git ')) break;
    if (line.startsWith('@@ ')) {
      file.hunks.push(readHunk(reader, line));
      continue;
    }
    readHeader(file, modes, line);
    reader.at += 1;
  }
  if (modes.old !== '' && modes.new !== '') file.mode = modes;
  return file;
}

function readHeader(file: PatchFile, modes: { old: string; new: string }, line: string): void {
  const after = (prefix: string) => (line.startsWith(prefix) ? line.slice(prefix.length) : null);
  const isNew = after('new file mode ') !== null;
  const isDeleted = after('deleted file mode ') !== null;
  if (isNew) file.change = 'added';
  else if (isDeleted) file.change = 'deleted';
  else if (line.startsWith('old mode ')) modes.old = line.slice('old mode '.length);
  else if (line.startsWith('new mode ')) modes.new = line.slice('new mode '.length);
  else if (line.startsWith('Binary files ') || line === 'GIT binary patch') file.isBinary = true;
  const from = after('rename from ') ?? after('copy from ');
  if (from !== null) {
    file.change = line.startsWith('rename') ? 'renamed' : 'copied';
    file.from = unquotePath(from);
  }
  const to = after('rename to ') ?? after('copy to ');
  if (to !== null) file.path = unquotePath(to);
  const index = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/.exec(line);
  if (index !== null) file.blobs = { old: index[1] ?? '', new: index[2] ?? '' };
  const named = after('+++ ') ?? after('--- ');
  if (named !== null && named !== '/dev/null') file.path = sidePath(named);
}

/** `a/PATH` or `b/PATH`. Git ends a name that has a space with a tab. */
function sidePath(side: string): string {
  return unquotePath(side.replace(/\t$/, '')).slice(2);
}

/** The path of `a/PATH b/PATH`, which is all that a binary file or a changed mode says. Both are the same there. */
function headerPath(names: string): string {
  if (names.endsWith('"')) {
    const start = names.indexOf('"', 1) === names.length - 1 ? 0 : names.indexOf(' "') + 1;
    return sidePath(names.slice(start));
  }
  return names.slice((names.length + 1) / 2 + 2);
}

function readHunk(reader: Reader, head: string): Hunk {
  const numbers = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s.exec(head);
  reader.at += 1;
  const [oldStart, oldCount, newStart, newCount] = [1, 2, 3, 4].map((group) => Number(numbers?.[group] ?? 1));
  const hunk = { oldStart: oldStart ?? 1, newStart: newStart ?? 1, section: numbers?.[5] ?? '' };
  const lines: DiffLine[] = [];
  let old = hunk.oldStart;
  let fresh = hunk.newStart;
  const oldEnd = old + (oldCount ?? 1);
  const freshEnd = fresh + (newCount ?? 1);
  // The counts say where it ends: a line of the file can look like a header.
  for (; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at] ?? '';
    const sign = line[0];
    if (sign === '\\') {
      const last = lines.at(-1);
      if (last !== undefined) last.isUnended = true;
      continue;
    }
    if (old >= oldEnd && fresh >= freshEnd) break;
    const text = line.slice(1);
    if (sign === '+') lines.push({ kind: 'added', text, oldLine: null, newLine: fresh++, isUnended: false });
    else if (sign === '-') lines.push({ kind: 'deleted', text, oldLine: old++, newLine: null, isUnended: false });
    else lines.push({ kind: 'same', text, oldLine: old++, newLine: fresh++, isUnended: false });
  }
  return { ...hunk, lines };
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A path as git writes it: in double quotes with C escapes, of its UTF-8 bytes, where it has unusual characters. */
function unquotePath(path: string): string {
  if (!path.startsWith('"') || !path.endsWith('"') || path.length < 2) return path;
  const inner = path.slice(1, -1);
  const encoder = new TextEncoder();
  const bytes: number[] = [];
  for (const [, octal, escaped, plain] of inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (escaped !== undefined) bytes.push(escapes[escaped] ?? escaped.charCodeAt(0));
    else bytes.push(...encoder.encode(plain));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
