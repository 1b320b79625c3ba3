import { describe, expect, it } from 'vitest';
import { honest, refusals, unfinished } from './ends-in-words.ts';
import { call, scriptedCoder } from './scripted-coder.ts';
import { finished } from './scripted-model.ts';
import { answer, called, codeWith } from './weak-server.ts';

const edit = answer(called('write_file', '{"path": "a.txt", "content": "changed"}'), { finish: 'tool_calls' });
const inWords = (text: string) => answer({ content: text });
const byTool = (summary: string) =>
  answer(called('finish', JSON.stringify({ outcome: 'done', summary })), { finish: 'tool_calls' });

describe('an end that is none, over the wire', () => {
  it.each([...refusals, ...unfinished])('is not taken as done, in words or by the tool: %s', async (text) => {
    const words = await codeWith([edit, inWords(text), inWords(text)]);
    const tool = await codeWith([edit, byTool(text), byTool(text)]);
    expect([words.output.outcome, tool.output.outcome]).toEqual(['blocked', 'blocked']);
  });

  it.each(refusals)('is named as a refusal, with the words of the model: %s', async (text) => {
    const { output } = await codeWith([inWords(text), inWords(text)]);
    expect(output.summary).toMatch(/^The model refused: ".+"$/);
  });
});

describe('an honest end, over the wire', () => {
  it.each(honest)('is taken at once by the tool, and in words that come again and say so first: %s', async (text) => {
    const words = await codeWith([edit, inWords(text), inWords(`DONE: ${text}`)]);
    const tool = await codeWith([edit, byTool(text)]);
    expect([words.output, tool.output]).toMatchObject([
      { outcome: 'done', summary: text },
      { outcome: 'done', summary: text },
    ]);
    expect([words.requests, tool.requests]).toEqual([3, 2]);
  });
});

it('is not believed in words that never say whether the work is done', async () => {
  const text = 'Everything except the actual fix is in place.';
  const { output } = await codeWith([edit, inWords(text), inWords(text)]);
  expect(output).toMatchObject({ outcome: 'blocked', summary: expect.stringContaining(text) });
});

describe('a slip of a weak model', () => {
  const write = { calls: [call('1', 'write_file', { path: 'a.txt', content: 'changed' })] };
  const hasChange = (effects: readonly string[]) => effects.length > 0;
  const wrongEdit = (n: number) => ({
    calls: [call('1', 'edit_file', { path: 'a.txt', old_text: `old ${n}`, new_text: 'new' })],
  });

  it.each([
    ['an announcement without a call', [{ text: 'I will now read a.txt and then change it.' }]],
    ['a claim of success without a change', [finished('Changed a.txt as planned.')]],
    ['a claim that it is done already', [{ text: 'This is already handled.' }]],
    ['a claim after edits that were refused', [wrongEdit(1), wrongEdit(2), { text: 'I changed it.' }]],
  ])('is told what is missing, and then completes: %s', async (_slip, turns) => {
    const coder = scriptedCoder([...turns, write, finished('Changed a.txt.')], { files: { 'a.txt': 'a' }, hasChange });
    const { output } = await coder.run();
    expect(output).toMatchObject({ outcome: 'done', summary: 'Changed a.txt.' });
    expect(coder.files.snapshot()).toEqual({ 'a.txt': 'changed' });
  });

  it('is told once: the same end again is taken, and what it lacks is for the service to judge', async () => {
    const coder = scriptedCoder([finished('Done.'), finished('Done.')], { hasChange });
    expect((await coder.run()).output.outcome).toBe('done');
    expect(coder.results()).toMatchObject([{ ok: false, summary: expect.stringContaining('changed no file') }]);
  });
});

it('in words is told what it lacks, as by the tool', async () => {
  const coder = scriptedCoder([{ text: 'DONE: I changed a.txt.' }, { text: 'DONE: I changed a.txt.' }], {
    hasChange: () => false,
  });
  await coder.run();
  const [asked] = coder.prompts[1]?.slice(-1) ?? [];
  expect(JSON.stringify(asked)).toMatch(/You called no tool.*You have changed no file/);
});

it('with parts of the plan that are not done is blocked, whatever its outcome says', async () => {
  const end = {
    outcome: 'done',
    summary: 'The parser is changed.',
    not_done: ['Step 2', ' none ', 'None, the rest is done.'],
  };
  const coder = scriptedCoder([{ calls: [call('end', 'finish', end)] }]);
  const { output } = await coder.run();
  expect(output).toMatchObject({ outcome: 'blocked', summary: 'The parser is changed.\nNot done: Step 2' });
});

describe('an end together with other calls', () => {
  it('is not taken before their results were seen, and twice the same end is one', async () => {
    const end = finished('Done.').calls ?? [];
    const both = { calls: [...end, call('1', 'list_files', {})] };
    const twice = { calls: [...end, ...end.map((one) => ({ ...one, id: 'again' }))] };
    const coder = scriptedCoder([both, twice], { files: { 'a.txt': 'a' } });
    expect((await coder.run()).output.summary).toBe('Done.');
    expect(coder.results()).toMatchObject([
      { ok: false, summary: expect.stringContaining('together with other calls') },
      { ok: true },
    ]);
    expect(coder.kinds().slice(-3)).toEqual(['done', 'result end', 'result again']);
  });

  it('is not taken with another end in the same answer', async () => {
    const [done, blocked] = [finished('Done.'), finished('There is no such file.', 'blocked')];
    const both = { calls: [...(done.calls ?? []), ...(blocked.calls ?? []).map((one) => ({ ...one, id: 'other' }))] };
    const coder = scriptedCoder([both, blocked], { files: { 'a.txt': 'a' } });
    expect((await coder.run()).output.outcome).toBe('blocked');
    const refused = { ok: false, summary: expect.stringContaining('not in the same way') };
    expect(coder.results()).toMatchObject([refused, refused]);
  });
});
