import { describe, expect, it } from 'vitest';
import { editFile } from './edit-file.ts';
import { isPlanned, outsidePlanOf } from './plan-scope.ts';
import { refusalOf, useTool } from './test/use-tool.ts';
import { deleteFile, writeFile } from './write-file.ts';

const files = { 'a.txt': 'a', 'b.txt': 'b' };
const plannedFiles = ['a.txt', './docs/new.md'];
const calls = [
  [editFile, { old_text: 'b', new_text: 'B' }],
  [writeFile, { content: 'B' }],
  [deleteFile, {}],
] as const;

describe('the plan as the scope of a writing tool', () => {
  it.each(calls)('lets a file of the plan be written', async (tool, input) => {
    const own = { ...input, ...('old_text' in input && { old_text: 'a' }) };
    const { files: left } = await useTool(tool, { ...own, path: 'a.txt' }, { files, plannedFiles });
    expect(left.changes).toHaveLength(1);
  });

  it.each(calls)('refuses another file, with the files of the plan', async (tool, input) => {
    const said = await refusalOf(tool, { ...input, path: 'b.txt' }, { files, plannedFiles });
    expect(said).toContain('b.txt is not in the approved plan, whose files are: a.txt, ./docs/new.md.');
    expect(said).toContain('outside_plan_reason');
  });

  it.each(['', '   ', '-', '...', '\u200b'])('takes %j for no reason', async (reason) => {
    const input = { path: 'b.txt', content: 'x', outside_plan_reason: reason };
    expect(await refusalOf(writeFile, input, { files, plannedFiles })).toContain('not in the approved plan');
  });

  it.each(calls)('lets another file be written for a reason', async (tool, input) => {
    const reason = { outside_plan_reason: 'It calls what is renamed.' };
    const { files: left } = await useTool(tool, { ...input, ...reason, path: 'b.txt' }, { files, plannedFiles });
    expect(left.changes).toHaveLength(1);
  });

  it('refuses a reason as long as a page', async () => {
    const input = { path: 'b.txt', content: 'x', outside_plan_reason: 'x'.repeat(501) };
    expect(await refusalOf(writeFile, input, { files, plannedFiles })).toContain('at most 500 characters');
  });

  it('names some of a long plan, and a plan without files as such', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `f${index}`);
    const input = { path: 'b.txt', content: 'x' };
    expect(await refusalOf(writeFile, input, { files, plannedFiles: many })).toContain('f19 and 10 more.');
    expect(await refusalOf(writeFile, input, { files, plannedFiles: [] })).toContain('whose files are: none.');
  });
});

describe('isPlanned', () => {
  it('compares paths as they lead, not as they are spelled', () => {
    for (const path of ['docs/new.md', './docs/new.md', 'docs/./new.md', 'x/../docs/new.md'])
      expect(isPlanned(plannedFiles, path), path).toBe(true);
    for (const path of ['docs', 'docs/new.md.bak', 'DOCS/new.md', '../docs/new.md', ' a.txt', '/a.txt'])
      expect(isPlanned(plannedFiles, path), path).toBe(false);
  });
});

describe('outsidePlanOf', () => {
  it('gives the files and the reason of a call that left the plan, and nothing for any other', () => {
    const of = (input: unknown, text = '') => outsidePlanOf(plannedFiles, { input, text });
    expect(of({ path: './b.txt', outside_plan_reason: ' Why. ' })).toEqual([{ path: 'b.txt', reason: 'Why.' }]);
    const many = 'Replaced 4 places in 3 files:\na.txt: 1 place\nb.txt: 2 places\nc d.txt: new';
    expect(of({ old_name: 'a', outside_plan_reason: 'Why.' }, many)).toEqual([
      { path: 'b.txt', reason: 'Why.' },
      { path: 'c d.txt', reason: 'Why.' },
    ]);
    const patch = '*** Begin Patch\n*** Update File: a.txt\n-a\n+b\n*** Add File: b.txt\n+b\n*** End Patch';
    const reason = { path: 'b.txt', reason: 'Why.' };
    expect(of({ patch, outside_plan_reason: 'Why.' }, 'Applied:\na.txt: 1 place\nb.txt: new')).toEqual([reason]);
    // Interrupted, so that its answer names no file.
    expect(of({ patch, outside_plan_reason: 'Why.' }, 'The service restarted while this ran.')).toEqual([reason]);
    const others = [
      { path: 'a.txt', outside_plan_reason: 'Why.' },
      { path: 'b.txt' },
      { path: 'b.txt', outside_plan_reason: '?' },
      { path: 7 },
      'nothing',
    ];
    for (const input of others) expect(of(input)).toEqual([]);
  });
});
