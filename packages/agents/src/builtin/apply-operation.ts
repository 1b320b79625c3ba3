import { applyPatch, type StructuredPatch } from 'diff';
import { replaceExactly } from '../tools/replace-exactly.ts';
import type { EditOperation, PatchOperation, ReplaceOperation } from './edit-operation.ts';
import type { PlannedCall } from './planned-call.ts';

// A hunk an edit, as long as a person can follow them and working them out again each turn costs next to nothing.
const MAX_SINGLE_HUNKS = 20;
const MAX_SINGLE_CHARACTERS = 200_000;

export type AppliedOperation =
  | { readonly ok: true; readonly calls: readonly PlannedCall[] }
  | { readonly ok: false; readonly reason: string };

/** Whether the file must be read before the operation can be worked out. */
export function needsFile(operation: EditOperation): boolean {
  return operation.kind === 'replace' || (operation.kind === 'patch' && operation.action !== 'create');
}

/**
 * Works out the tool calls that carry an operation out on a file that holds `before`. Exact, without fuzz: a hunk may
 * have moved to other lines, but every line of it must be there.
 */
export function applyOperation(operation: EditOperation, before: string | null): AppliedOperation {
  if (operation.kind === 'write') {
    const { path, content } = operation;
    return { ok: true, calls: [{ tool: 'write_file', path, input: { path, content }, before, after: content }] };
  }
  if (operation.kind === 'patch' && operation.action === 'create') return create(operation, before);
  if (before === null) return { ok: false, reason: `${operation.path} does not exist` };
  return operation.kind === 'replace' ? replace(operation, before) : patchExisting(operation, before);
}

function create({ newPath: path, patch }: PatchOperation, before: string | null): AppliedOperation {
  if (before !== null) return { ok: false, reason: `${path} exists already` };
  const content = applied('', patch);
  if (content === null) return { ok: false, reason: `the diff for the new file ${path} has lines to remove` };
  return {
    ok: true,
    calls: [{ tool: 'write_file', path, input: { path, content, must_be_new: true }, before, after: content }],
  };
}

function replace({ path, from, to, all }: ReplaceOperation, before: string): AppliedOperation {
  const result = replaceExactly(before, { from, to, all });
  switch (result.kind) {
    case 'absent':
      return { ok: false, reason: `the text to replace is not in ${path}` };
    case 'repeated':
      return {
        ok: false,
        reason: `the text to replace is ${result.count} times in ${path}: say "replace all", or use a diff`,
      };
    case 'too_large':
      return { ok: false, reason: `${path} would become too large` };
    case 'replaced': {
      const input = { path, old_text: from, new_text: to, ...(all && { replace_all: true }) };
      return { ok: true, calls: [{ tool: 'edit_file', path, input, before, after: result.text }] };
    }
  }
}

function patchExisting({ action, path, newPath, patch }: PatchOperation, before: string): AppliedOperation {
  const after = applied(before, patch);
  if (after === null) return { ok: false, reason: misfit(path, patch, before) };
  const remove: PlannedCall = { tool: 'delete_file', path, input: { path }, before, after: null };
  if (action === 'delete') {
    if (patch.hunks.length > 0 && after !== '')
      return { ok: false, reason: `${path} holds more than the diff removes` };
    return { ok: true, calls: [remove] };
  }
  if (action === 'rename') {
    const input = { path: newPath, content: after, must_be_new: true };
    return { ok: true, calls: [{ tool: 'write_file', path: newPath, input, before: null, after }, remove] };
  }
  const atOnce = patch.hunks.length > MAX_SINGLE_HUNKS || before.length > MAX_SINGLE_CHARACTERS;
  const states = atOnce ? [before, after] : statesBetween(before, patch);
  const calls = states.slice(1).map((state, index) => singleEdit(path, states[index] ?? before, state));
  return { ok: true, calls: calls.filter((call) => call.before !== call.after) };
}

/** The file after no hunk, after the first, after the second, … so that each is an edit that a person can follow. */
function statesBetween(before: string, patch: StructuredPatch): string[] {
  const counts = [0, ...patch.hunks.map((_hunk, index) => index + 1)];
  return counts.map((count) => applied(before, firstHunks(patch, count)) ?? before);
}

/** Names the first hunk that does not fit. If one does not, no more of them do: so by halves, not one by one. */
function misfit(path: string, patch: StructuredPatch, before: string): string {
  let fits = 0;
  let fails = patch.hunks.length;
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2);
    if (applied(before, firstHunks(patch, middle)) === null) fails = middle;
    else fits = middle;
  }
  const { oldStart = 0, oldLines = 0, newStart = 0, newLines = 0 } = patch.hunks[fails - 1] ?? {};
  const range = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
  return `hunk ${fails} of ${patch.hunks.length} (${range}) does not fit ${path}: its lines are not there`;
}

function firstHunks(patch: StructuredPatch, count: number): StructuredPatch {
  return { ...patch, hunks: patch.hunks.slice(0, count) };
}

/** A diff quoted in an issue has lost its carriage returns, so they do not count. Null when it does not apply. */
function applied(text: string, patch: StructuredPatch): string | null {
  const bare = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);
  const result = applyPatch(text, patch, {
    fuzzFactor: 0,
    compareLine: (...[, line, , old]) => line !== undefined && bare(line) === bare(old),
  });
  return result === false ? null : result;
}

const MAX_OLD_TEXT = 20_000; // beyond it the edit is no easier to follow than the file

/**
 * The call that takes a file from one text to the next: whole lines, with as many around them as make the old ones
 * unique. Where that takes too many, the whole file is written.
 */
function singleEdit(path: string, before: string, after: string): PlannedCall {
  const from = linesOf(before);
  const to = linesOf(after);
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start += 1;
  let tail = 0;
  while (tail < Math.min(from.length, to.length) - start && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1;

  let old = from.slice(start, from.length - tail).join('');
  // More lines each time, twice as many as before: one by one is minutes in a long file of equal lines.
  for (let more = 1; old.length <= MAX_OLD_TEXT && !occursOnce(before, old) && (start > 0 || tail > 0); more *= 2) {
    start = Math.max(0, start - more);
    tail = Math.max(0, tail - more);
    old = from.slice(start, from.length - tail).join('');
  }
  if (old === '' || old.length > MAX_OLD_TEXT) {
    return { tool: 'write_file', path, input: { path, content: after }, before, after };
  }
  const input = { path, old_text: old, new_text: to.slice(start, to.length - tail).join('') };
  return { tool: 'edit_file', path, input, before, after };
}

/** Lines with their ends, so that a last line without one stays as it is. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function occursOnce(text: string, part: string): boolean {
  return part !== '' && text.indexOf(part) === text.lastIndexOf(part);
}
