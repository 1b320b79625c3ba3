import { applyPatch, type StructuredPatch } from 'diff';
import type { EditOperation, PatchOperation, ReplaceOperation } from './edit-operation.ts';
import type { PlannedCall } from './planned-call.ts';
import { singleEdit } from './single-edit.ts';

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
  const pieces = before.split(from);
  if (pieces.length === 1) return { ok: false, reason: `the text to replace is not in ${path}` };
  if (pieces.length > 2 && !all) {
    return {
      ok: false,
      reason: `the text to replace is ${pieces.length - 1} times in ${path}: say "replace all", or use a diff`,
    };
  }
  const input = { path, old_text: from, new_text: to, ...(all && { replace_all: true }) };
  return { ok: true, calls: [{ tool: 'edit_file', path, input, before, after: pieces.join(to) }] };
}

function patchExisting({ action, path, newPath, patch }: PatchOperation, before: string): AppliedOperation {
  const states = [before];
  for (const [index, hunk] of patch.hunks.entries()) {
    const next = applied(before, { ...patch, hunks: patch.hunks.slice(0, index + 1) });
    if (next === null) {
      const range = `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
      return {
        ok: false,
        reason: `hunk ${index + 1} of ${patch.hunks.length} (${range}) does not fit ${path}: its lines are not there`,
      };
    }
    states.push(next);
  }
  const after = states.at(-1) ?? before;
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
  const calls = states.slice(1).map((state, index) => singleEdit(path, states[index] ?? before, state));
  return { ok: true, calls: calls.filter((call) => call.before !== call.after) };
}

/** A diff quoted in an issue has lost its carriage returns, so they do not count. Null when it does not apply. */
function applied(text: string, patch: StructuredPatch): string | null {
  const bare = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);
  const result = applyPatch(text, patch, {
    fuzzFactor: 0,
    compareLine: (...[, line, , wanted]) => line !== undefined && bare(line) === bare(wanted),
  });
  return result === false ? null : result;
}
