import { describe, expect, it } from 'vitest';
import { call, scriptedCoder } from '../../test/loop/scripted-coder.ts';
import { applyPatch } from './apply-patch.ts';
import { mistypedEdit } from './test/mistyped-edit.ts';
import { refusalOf, useTool } from './test/use-tool.ts';

const A = 'class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 1\n';
const files = { 'a.py': A, 'b.txt': 'one\r\ntwo\r\nthree\r\n', 'c.txt': 'c\n' };

const patch = async (text: string) => (await useTool(applyPatch, { patch: text }, { files })).files.snapshot();
const refused = async (text: string) => await refusalOf(applyPatch, { patch: text }, { files });

describe('apply_patch', () => {
  it('changes, adds, moves and deletes files in one call, and tells what it did', async () => {
    const text = `*** Begin Patch
*** Update File: a.py
@@ class A:
@@     def g(self):
-        return 1
+        return 2
*** Update File: b.txt
*** Move to: d/b.txt
@@
 one
-two
+zwei
 three
*** Add File: e.txt
+first
+
+third
*** Delete File: c.txt
*** End Patch`;
    const { answer, files: left } = await useTool(applyPatch, { patch: text }, { files });
    expect(answer).toBe('Applied:\na.py: 1 place\nb.txt: moved to d/b.txt\nd/b.txt: new\ne.txt: new\nc.txt: deleted');
    expect(left.snapshot()).toEqual({
      'a.py': A.replace(/return 1\n$/, 'return 2\n'),
      'd/b.txt': 'one\r\nzwei\r\nthree\r\n',
      'e.txt': 'first\n\nthird\n',
    });
  });

  it.each([
    ['a fence around it', '```\n*** Update File: c.txt\n-c\n+d\n```', 'd\n'],
    ['no first and last line', '*** Update File: c.txt\n@@\n-c\n+d', 'd\n'],
    ['line numbers as in a diff', '*** Update File: c.txt\n@@ -7,1 +7,2 @@\n c\n+d', 'c\nd\n'],
    ['an end mark', '*** Update File: c.txt\n@@\n c\n+d\n*** End of File', 'c\nd\n'],
    ['an anchor and no other line', '*** Update File: c.txt\n@@ c\n+d', 'c\nd\n'],
    ['everything taken away', '*** Update File: c.txt\n-c', ''],
    ['blank lines around its parts', '\n*** Update File: c.txt\n\n@@\n-c\n+d\n\n*** Delete File: b.txt\n\n', 'd\n'],
    ['a blank line before its end', '*** Begin Patch\n*** Update File: c.txt\n-c\n+d\n\n*** End Patch', 'd\n'],
    ['a blank line after a mere addition', '*** Update File: c.txt\n@@ c\n+d\n\n*** End Patch', 'c\nd\n'],
    ['a here-document around it', "apply_patch <<'EOF'\n*** Update File: c.txt\n-c\n+d\nEOF\n", 'd\n'],
    [
      'another one',
      'cd a && apply_patch <<-PATCH\n*** Begin Patch\n*** Update File: c.txt\n-c\n+d\n*** End Patch\nPATCH',
      'd\n',
    ],
  ])('takes a patch with %s', async (_what, text, expected) => {
    expect((await patch(text))['c.txt']).toBe(expected);
  });

  it('keeps to the blank line at the end of a hunk where it fits with it', async () => {
    const input = { patch: '*** Update File: a\n@@\n-x\n+y\n\n*** End Patch' };
    const { files: left } = await useTool(applyPatch, input, { files: { a: 'x\nz\nx\n\nz\n' } });
    expect(left.snapshot().a).toBe('x\nz\ny\n\nz\n');
    const told = await refusalOf(applyPatch, input, { files: { a: 'x\nz\nx\nz\n' } });
    expect(told).toContain('fits at lines 1, 3');
  });

  it('gives a new file no blank line that only stands before the next part', async () => {
    const after = await patch('*** Add File: n.txt\n+a\n\n+b\n+\n\n*** Delete File: c.txt');
    expect(after['n.txt']).toBe('a\n\nb\n\n');
  });

  it('fills an empty file', async () => {
    const input = { patch: '*** Update File: a\n@@\n+x\n+\n+y\n\n*** End Patch' };
    expect((await useTool(applyPatch, input, { files: { a: '' } })).files.snapshot().a).toBe('x\n\ny\n');
  });

  it.each([
    [
      'two hunks',
      '@@     def f(self):\n-        return 1\n+        return 5\n@@     def g(self):\n-        return 1\n+        return 6',
    ],
    [
      'hunks out of order',
      '@@\n     def g(self):\n-        return 1\n+        return 6\n@@\n     def f(self):\n-        return 1\n+        return 5',
    ],
    [
      'the anchor repeated',
      '@@     def f(self):\n     def f(self):\n-        return 1\n+        return 5\n@@ def g\n-        return 1\n+        return 6',
    ],
    [
      'less indentation',
      '@@\n def f(self):\n-    return 1\n+    return 5\n@@\n def g(self):\n-    return 1\n+    return 6',
    ],
  ])('finds the places of %s', async (_what, hunks) => {
    const text = (await patch(`*** Update File: a.py\n${hunks}`))['a.py'];
    expect(text).toBe(A.replace('return 1', 'return 5').replace('return 1', 'return 6'));
  });

  it.each([
    ['*** Update File: a.py\n@@\n-        return 1\n+        return 2', 'Hunk 1 of a.py fits at lines 3, 6.'],
    ['*** Update File: a.py\n@@\n-        return 7\n+        return 2', 'Hunk 1 of a.py fits nowhere'],
    ['*** Update File: a.py\n@@ def h\n-        return 1', 'there is no line "def h"'],
    ['*** Update File: a.py\n@@ return\n-        return 1', '"return" is a part of lines 3, 6. Give the whole line'],
    ['*** Update File: a.py\n@@ class\n-  return 1', 'nearly at lines 3, 6. Give more lines'],
    ['*** Update File: a.py\n@@ def g\n-return 17', '6\t        return 1'],
    ['*** Update File: a.py\n@@\n+new', 'has no line of the file'],
    ['*** Update File: a.py\n@@\n+new\n\n*** End Patch', 'has no line of the file'],
    ['*** Update File: a.py', 'changes nothing in a.py'],
    ['*** Update File: a.py\n\n*** End Patch', 'changes nothing in a.py'],
    ['*** Update File: a.py\nclass B:', 'begins with neither a space'],
    ['*** Update File: none.py\n@@\n-a', 'none.py'],
    ['*** Add File: c.txt\n+c', 'c.txt exists already'],
    ['*** Update File: c.txt\n*** Move to: a.py', 'a.py exists already'],
    ['*** Add File: n.txt\nno plus', 'does not begin with "+"'],
    ['*** Delete File: c.txt\n*** Delete File: c.txt', 'names c.txt twice'],
    ['hello', 'names no file'],
    ['hello\n*** Delete File: c.txt', 'a line before its first file'],
  ])('refuses %j', async (text, told) => {
    expect(await refused(text)).toContain(told);
  });

  it.each([
    ['class A', 'class AB:\n    x = 1\nclass A(Base):\n    x = 1\n'],
    ['def get', 'def get_all():\n    x = 1\ndef get():\n    x = 1\n'],
    ['A(Base)', 'class BA(Base):\n    x = 1\nclass A(Base):\n    x = 1\n'],
  ])('takes the anchor %j for whole words', async (anchor, text) => {
    const input = { patch: `*** Update File: a.py\n@@ ${anchor}\n-    x = 1\n+    x = 2` };
    const { files: left } = await useTool(applyPatch, input, { files: { 'a.py': text } });
    expect(left.snapshot()['a.py']).toBe(text.replace(/1\n$/, '2\n'));
  });

  it.each([
    ['quotes', 'x = f("a")\n', '-f(“a”)\n+g(“a”)'],
    ['line numbers', 'x = f()\n', '-1\tf()\n+1\tg()'],
  ])('replaces no line of which a hunk with other %s has only a part', async (_what, text, hunk) => {
    const input = { patch: `*** Update File: a.py\n@@\n${hunk}` };
    expect(await refusalOf(applyPatch, input, { files: { 'a.py': text } })).toContain('fits nowhere');
  });

  it('is applied at no wrong place in a thousand near misses, and at the right one in most', async () => {
    const signed = (sign: string, text: string) => text.replaceAll(/^/gm, sign);
    let right = 0;
    for (let seed = 1; seed <= 1_000; seed += 1) {
      const { text, from, to, expected, slip } = mistypedEdit(seed);
      const lines = `\n${text.replaceAll('\r', '')}`;
      // What stands there exactly is no near miss.
      if (lines.includes(`\n${from}\n`)) continue;
      const input = { patch: `*** Update File: a\n@@\n${signed('-', from)}\n${signed('+', to)}` };
      const result = await useTool(applyPatch, input, { files: { a: text } }).catch(() => null);
      if (result === null) continue;
      expect(result.files.snapshot().a, `${seed}: ${slip}\n${from}\n---\n${text}`).toBe(expected);
      right += 1;
    }
    expect(right).toBeGreaterThan(400);
  });

  it('keeps to the plan, and refuses what breaks the syntax, with all other changes', async () => {
    const text = '*** Update File: c.txt\n-c\n+d\n*** Delete File: b.txt';
    const outside = await refusalOf(applyPatch, { patch: text }, { files, plannedFiles: ['c.txt'] });
    expect(outside).toMatch(/^b\.txt is not in the approved/);
    const syntaxFaults = ({ text: after }: { text: string }) => (after === 'd\n' ? [{ line: 1, problem: 'no' }] : []);
    expect(await refusalOf(applyPatch, { patch: text }, { files, syntaxFaults })).toContain('c.txt would not parse');
  });

  it('is offered instead of edit_file to a model that edits by patches, and its files outside the plan are told', async () => {
    const input = { patch: '*** Add File: z.txt\n+z', outside_plan_reason: 'It is read by the build.' };
    const coder = scriptedCoder([{ calls: [call('1', 'apply_patch', input)] }, { text: 'Done.' }], {
      choice: { editFormat: 'patch' },
    });
    const { output } = await coder.run();
    expect(output.outsidePlan).toEqual([{ path: 'z.txt', reason: 'It is read by the build.' }]);
    expect(coder.files.snapshot()).toEqual({ 'z.txt': 'z\n' });
    expect(JSON.stringify(coder.prompts[0])).not.toContain('edit_file');
    const other = scriptedCoder([{ calls: [call('1', 'apply_patch', input)] }, { text: 'BLOCKED: no tool' }]);
    await other.run();
    expect(other.results()[0]?.summary).toMatch(/^There is no tool "apply_patch"\. The tools are: .*edit_file/);
  });
});
