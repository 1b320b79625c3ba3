import { describe, expect, it } from 'vitest';
import { applyOperation } from './apply-operation.ts';
import { readEditForms } from './edit-forms.ts';
import type { EditOperation } from './edit-operation.ts';
import type { PlannedCall } from './planned-call.ts';

function operation(diff: string): EditOperation {
  const [form] = readEditForms(`\`\`\`diff\n${diff}\`\`\``);
  if (form === undefined || form.kind === 'refused') throw new Error(form?.reason ?? 'no form');
  return form;
}

function calls(diff: string, before: string): readonly PlannedCall[] {
  const result = applyOperation(operation(diff), before);
  if (!result.ok) throw new Error(result.reason);
  return result.calls;
}

const hunk = (line: number) => `@@ -${line} +${line} @@\n-a\n+b\n`;
const HEADER = '--- a/x\n+++ b/x\n';
const same = (count: number) => 'a\n'.repeat(count);

describe('a change by hunks', () => {
  it('is one small edit a hunk, whose old text is there only once', () => {
    const before = 'one\ntwo\nthree\nfour\n';
    const planned = calls(
      `${HEADER}@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n@@ -3,2 +3,2 @@\n three\n-four\n+FOUR\n`,
      before,
    );
    expect(planned.map((call) => call.input)).toEqual([
      { path: 'x', old_text: 'one\n', new_text: 'ONE\n' },
      { path: 'x', old_text: 'four\n', new_text: 'FOUR\n' },
    ]);
    expect(planned.map((call) => call.before)).toEqual([before, planned[0]?.after]);
  });

  it.each([
    ['begins a file of equal lines', 40, [1]],
    ['stands in the middle of a file of equal lines', 40, [20]],
    ['ends a file of equal lines', 40, [40]],
    ['is among many', 500, Array.from({ length: 50 }, (_, index) => index * 10 + 1)],
    ['is in a file so long and so even that nothing in it is unique', 60_000, [30_000]],
  ])('gives the right text when it %s', (_name, count, lines) => {
    const before = same(count);
    const wanted = before
      .split('\n')
      .map((line, index) => (lines.includes(index + 1) ? 'b' : line))
      .join('\n');
    let text = before;
    for (const { tool, input, before: expected, after } of calls(HEADER + lines.map(hunk).join(''), before)) {
      expect(expected).toBe(text);
      if (tool === 'write_file') {
        text = String(input.content);
      } else {
        const pieces = text.split(String(input.old_text));
        expect(pieces).toHaveLength(2);
        text = pieces.join(String(input.new_text));
      }
      expect(after).toBe(text);
    }
    expect(text).toBe(wanted);
  });

  it('fits where its lines have moved to, but not where one of them differs', () => {
    const diff = `${HEADER}@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n`;
    expect(calls(diff, 'new\nnew\none\ntwo\nthree\n').at(-1)?.after).toBe('new\nnew\none\nTWO\nthree\n');
    expect(applyOperation(operation(diff), 'one!\ntwo\nthree\n')).toMatchObject({ ok: false });
  });

  it('names the first hunk that does not fit', () => {
    const diff = HEADER + [1, 2, 3, 4, 5].map(hunk).join('');
    expect(applyOperation(operation(diff), 'a\na\na\nX\na\n')).toEqual({
      ok: false,
      reason: 'hunk 5 of 5 (@@ -5,1 +5,1 @@) does not fit x: its lines are not there',
    });
  });

  it('adds and removes the newline at the end', () => {
    const added = `${HEADER}@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n`;
    expect(calls(added, 'a').at(-1)?.after).toBe('a\n');
    const removed = `${HEADER}@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n`;
    expect(calls(removed, 'a\n').at(-1)?.after).toBe('a');
  });

  it('fills an empty file, and empties a full one', () => {
    expect(calls(`${HEADER}@@ -0,0 +1 @@\n+a\n`, '')[0]).toMatchObject({ tool: 'write_file', after: 'a\n' });
    expect(calls(`${HEADER}@@ -1 +0,0 @@\n-a\n`, 'a\n')[0]).toMatchObject({ tool: 'edit_file', after: '' });
  });
});
