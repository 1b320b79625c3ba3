import { parsePatch, type StructuredPatch } from 'diff';
import type { EditForm, PatchOperation } from './edit-operation.ts';
import { editPath } from './edit-path.ts';
import type { FencedBlock } from './markdown-blocks.ts';

const ABSENT = '/dev/null';

/**
 * Reads a block that is a unified diff, git's or plain, as one operation a file. A diff is one change: when any file's
 * part cannot be carried out exactly, the whole of it is refused.
 */
export function readDiffForm({ content, source }: FencedBlock): EditForm[] {
  const refused = (reason: string): EditForm[] => [{ kind: 'refused', source, reason }];
  let patches: StructuredPatch[];
  try {
    patches = parse(content);
  } catch (error) {
    return refused(
      `it is not a unified diff that can be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const named = patches.filter((patch) => patch.oldFileName !== undefined || patch.hunks.length > 0);
  if (named.length === 0) return refused('it holds no file header (--- and +++) and no hunk (@@)');
  const parts = named.map(readFilePatch);
  const faults = parts.filter((part) => typeof part === 'string');
  return faults.length > 0 ? refused(faults.join('; ')) : parts.filter((part) => typeof part !== 'string');
}

function parse(diff: string): StructuredPatch[] {
  try {
    return parsePatch(diff);
  } catch {
    return parsePatch(recountHunks(diff));
  }
}

/** The operation, or why there is none. */
function readFilePatch(patch: StructuredPatch): PatchOperation | string {
  const { oldFileName, newFileName } = patch;
  if (oldFileName === undefined || newFileName === undefined) return 'a hunk names no file: give --- and +++ lines';
  const names = withoutPrefixes(patch, oldFileName, newFileName);
  if (patch.isBinary) return `${names.new} is binary`;
  if (patch.isCopy) return `it copies ${names.old}: only create, change, delete and rename are carried out`;
  const creates = patch.isCreate === true || oldFileName === ABSENT;
  const deletes = patch.isDelete === true || newFileName === ABSENT;
  if (creates && deletes) return 'it creates and deletes the same file';
  const mode = deletes ? undefined : patch.newMode;
  if (mode !== undefined && mode !== '100644')
    return `it sets the mode of ${names.new} to ${mode}: only content is changed here`;

  const from = editPath(creates ? names.new : names.old);
  const to = editPath(deletes ? names.old : names.new);
  if (!from.ok) return from.reason;
  if (!to.ok) return to.reason;
  if (from.path !== to.path && !patch.isRename) {
    return `it names two files, ${from.path} and ${to.path}: a rename has "rename from" and "rename to" lines`;
  }
  const action = creates ? 'create' : deletes ? 'delete' : from.path !== to.path ? 'rename' : 'change';
  if (action === 'change' && patch.hunks.length === 0) return `it changes nothing in ${to.path}`;
  return operation(action, { from: from.path, to: to.path, patch });
}

function operation(
  action: PatchOperation['action'],
  { from, to, patch }: { from: string; to: string; patch: StructuredPatch },
): PatchOperation {
  return {
    kind: 'patch',
    action,
    path: from,
    newPath: to,
    // In git's own form whatever it came in, so that it is written back into the plan in one way only.
    patch: {
      oldFileName: action === 'create' ? ABSENT : `a/${from}`,
      newFileName: action === 'delete' ? ABSENT : `b/${to}`,
      oldHeader: undefined,
      newHeader: undefined,
      hunks: patch.hunks,
      isGit: true,
      ...(action === 'create' && { isCreate: true }),
      ...(action === 'delete' && { isDelete: true }),
      ...(action === 'rename' && { isRename: true }),
    },
  };
}

/** git's `a/` and `b/`, or `diff.mnemonicPrefix`'s pairs; what is on one side only belongs to the path. */
function withoutPrefixes(patch: StructuredPatch, oldName: string, newName: string): { old: string; new: string } {
  const pairs = patch.isGit ? ['ab', 'ci', 'iw', 'cw', 'ow', 'ba'] : ['ab'];
  for (const [before, after] of pairs.map((pair) => [`${pair.charAt(0)}/`, `${pair.charAt(1)}/`] as const)) {
    const oldFits = oldName === ABSENT || oldName.startsWith(before);
    const newFits = newName === ABSENT || newName.startsWith(after);
    if (oldFits && newFits) {
      return {
        old: oldName === ABSENT ? ABSENT : oldName.slice(2),
        new: newName === ABSENT ? ABSENT : newName.slice(2),
      };
    }
  }
  return { old: oldName, new: newName };
}

const hunkHeader = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/**
 * Puts right the line counts of hunk headers, as `git apply --recount` does: people who write a diff by hand count
 * wrong. A hunk ends at the next header; blank lines at its end are taken for the text's, not the hunk's.
 */
function recountHunks(diff: string): string {
  const lines = diff.split('\n');
  const recounted: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const [header, oldStart = '1', newStart = '1'] = hunkHeader.exec(line) ?? [];
    at += 1;
    if (header === undefined) {
      recounted.push(line);
      continue;
    }
    const body: string[] = [];
    while (at < lines.length && !beginsAnother(lines, at)) body.push(lines[at++] ?? '');
    while (body.at(-1) === '') body.pop();
    if (body.some((text) => !/^(?:[-+ \\]|$)/.test(text))) {
      // Something in it is no line of a hunk: counted again, it would be left out in silence.
      recounted.push(line, ...body);
      continue;
    }
    const count = (marks: string) => body.filter((text) => marks.includes(text.charAt(0) || ' ')).length;
    recounted.push(`@@ -${oldStart},${count(' -')} +${newStart},${count(' +')} @@`, ...body);
  }
  return `${recounted.join('\n')}\n`;
}

function beginsAnother(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  return /^(?:@@ |diff |Index: )/.test(line) || (line.startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ '));
}
