import { expect, it } from 'vitest';
import { fileWrites } from './file-writes.ts';

interface Made {
  readonly tool: string;
  readonly input: unknown;
  readonly told: string;
  readonly isRefused?: boolean;
}

function writesOf({ tool, input, told, isRefused = false }: Made) {
  const call = { type: 'tool-call', toolCallId: 'c', toolName: tool, input } as const;
  const output = { type: isRefused ? 'error-text' : 'text', value: told } as const;
  return fileWrites({ call, result: { type: 'tool-result', toolCallId: 'c', toolName: tool, output }, turn: 0 });
}

const PATCH = `*** Begin Patch
*** Update File: ./src/a.ts
@@ class A
 as it stands
-one
+two
@@
-three
*** Add File: b.ts
+new
+file
*** Delete File: c.ts
*** Update File: d.ts
*** Move to: e.ts
@@
+more
*** End Patch`;

const patched = { tool: 'apply_patch', input: { patch: PATCH } };

it('finds what a patch takes from and adds to each file', () => {
  expect(writesOf({ ...patched, told: 'Applied:' })).toEqual([
    { path: 'src/a.ts', removed: 'one\nthree', added: 'two' },
    { path: 'b.ts', removed: null, added: 'new\nfile' },
    { path: 'c.ts', removed: null, added: '' },
    { path: 'd.ts', removed: '', added: 'more' },
    { path: 'e.ts', removed: '', added: 'more' },
  ]);
});

it('finds the files of a replacement in the answer', () => {
  const told = 'Replaced 3 places in 2 files:\na.ts: 1 place\nb.ts: 2 places';
  expect(writesOf({ tool: 'rename_symbol', input: { old_name: 'x', new_name: 'y' }, told })).toEqual([
    { path: 'a.ts', removed: 'x', added: 'y' },
    { path: 'b.ts', removed: 'x', added: 'y' },
  ]);
});

it('finds nothing in a call that was refused, that only counted, or that reads', () => {
  expect(writesOf({ ...patched, told: 'a.ts is not in the plan.', isRefused: true })).toEqual([]);
  const told = 'Nothing was changed. "x" stands at 1 place in 1 file:\n- a.ts (1 place)';
  expect(writesOf({ tool: 'replace_in_files', input: { old_text: 'x', new_text: 'y', preview: true }, told })).toEqual(
    [],
  );
  expect(writesOf({ tool: 'read_file', input: { path: 'a.ts' }, told: 'a.ts: empty' })).toEqual([]);
});
