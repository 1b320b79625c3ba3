import { refusal } from './agent-tool.ts';

/** A change of one file in a patch. */
export type PatchedFile =
  | { readonly kind: 'add'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      /** Where the file moves to; null: it stays. */
      readonly movedTo: string | null;
      readonly hunks: readonly Hunk[];
    };

export interface Hunk {
  /** Lines that stand above the place, outermost first. */
  readonly anchors: readonly string[];
  /** Without line breaks. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;
const NO_PART = /^\*\*\* (?:Begin|End) Patch\s*$|^\*\*\* End of File\s*$|^```\w*\s*$/;

/** A here-document of a shell around a patch: `apply_patch <<'EOF'`. */
const HERE_DOCUMENT = /^\s*[^\n]*<<-?\s*(['"]?)(\w+)\1[ \t]*\n([\s\S]*)\n[ \t]*\2\s*$/;

/** The files that a patch names, whether or not it can be read as a whole. */
export function pathsOfPatch(patch: string): string[] {
  return [...patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$/gm)].map(
    ([, path]) => path ?? '',
  );
}

/**
 * Reads a patch as OpenAI's models write it: `*** Begin Patch`, then `*** Add File:`, `*** Update File:` with hunks after
 * `@@`, `*** Move to:` or `*** Delete File:`, then `*** End Patch`. The first and last line may be missing, a fence or a
 * here-document around them does not count.
 *
 * @throws AppError `tool_refused` with the line that is wrong
 */
export function parsePatch(patch: string): PatchedFile[] {
  const text = patch.replaceAll('\r\n', '\n').replace(HERE_DOCUMENT, '$3');
  const lines = text.replace(/\n$/, '').split('\n');
  const starts = lines.flatMap((line, index) => (HEADER.test(line) ? [index] : []));
  const [first] = starts;
  if (first === undefined) throw refusal('The patch names no file: begin with a line "*** Update File: PATH".');
  const stray = lines.slice(0, first).find((line) => line.trim() !== '' && !NO_PART.test(line));
  if (stray !== undefined) throw refusal(`The patch has a line before its first file: "${stray.slice(0, 100)}".`);
  return starts.map((start, index) => {
    const [, kind, path = ''] = HEADER.exec(lines[start] ?? '') ?? [];
    const body = lines.slice(start + 1, starts[index + 1]);
    if (kind === 'Delete') return { kind: 'delete', path };
    if (kind === 'Add') return { kind: 'add', path, text: addedText(path, body) };
    return updateOf(path, body);
  });
}

function addedText(path: string, body: readonly string[]): string {
  const lines = body.filter((line) => !NO_PART.test(line));
  const wrong = lines.find((line) => !line.startsWith('+') && line !== '');
  if (wrong !== undefined) throw refusal(`A line of the new file ${path} does not begin with "+": "${wrong}".`);
  // What ends a file is written with a "+" like its other lines: blank lines after it set the next part off.
  const last = lines.findLastIndex((line) => line !== '');
  return lines
    .slice(0, last + 1)
    .map((line) => `${line.slice(1)}\n`)
    .join('');
}

function updateOf(path: string, body: readonly string[]): PatchedFile {
  const movedTo = /^\*\*\* Move to: (.+?)\s*$/.exec(body[0] ?? '')?.[1] ?? null;
  const hunks: { anchors: string[]; from: string[]; to: string[] }[] = [];
  for (const line of body.slice(movedTo === null ? 0 : 1)) {
    if (NO_PART.test(line)) continue;
    let hunk = hunks.at(-1);
    if (line.startsWith('@@')) {
      const anchor = line.slice(2).replace(/^ |\s*@@\s*$/g, '');
      // Two lines of this kind name a place in a place; after lines of a hunk the next hunk begins.
      if (hunk === undefined || hunk.from.length + hunk.to.length > 0) {
        hunk = { anchors: [], from: [], to: [] };
        hunks.push(hunk);
      }
      // `@@ -1,2 +1,3 @@` are numbers, which are often wrong and never needed.
      if (anchor.trim() !== '' && !/^-\d+(?:,\d+)? \+\d+/.test(anchor)) hunk.anchors.push(anchor);
      continue;
    }
    if (hunk === undefined) {
      hunk = { anchors: [], from: [], to: [] };
      hunks.push(hunk);
    }
    const sign = line.slice(0, 1);
    if (!['', ' ', '+', '-'].includes(sign))
      throw refusal(
        `A line of the patch of ${path} begins with neither a space, "+" nor "-": "${line.slice(0, 100)}".`,
      );
    if (sign !== '+') hunk.from.push(line.slice(1));
    if (sign !== '-') hunk.to.push(line.slice(1));
  }
  const made = hunks.filter((hunk) => !isBlank(hunk));
  if (made.length === 0 && movedTo === null) throw refusal(`The patch changes nothing in ${path}.`);
  return { kind: 'update', path, movedTo, hunks: made };
}

/** Whether it is only blank lines of the patch, between its parts. */
function isBlank({ anchors, from, to }: Hunk): boolean {
  return anchors.length === 0 && from.length === to.length && [...from, ...to].every((line) => line === '');
}
