import type { LanguageModelV4Prompt as Prompt } from '@ai-sdk/provider';
import type { JournalEntry } from '@sluice/core/agent';
import { AppError } from '@sluice/core/error';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CoderOptions, call, scriptedCoder } from './scripted-coder.ts';
import { finished, type ScriptedTurn } from './scripted-model.ts';

const write = (id: string, path: string, content: string) => call(id, 'write_file', { path, content });
const FIRST: readonly ScriptedTurn[] = [
  { calls: [write('1', 'a.txt', 'wrong'), call('2', 'read_file', { path: 'b.txt' })] },
  finished('Wrote a.txt.'),
];
const SECOND: readonly ScriptedTurn[] = [{ calls: [write('1', 'a.txt', 'right')] }, finished('Corrected a.txt.')];
const FILES = { 'a.txt': 'a', 'b.txt': 'b' };
const RED = 'The tests fail: a.txt is wrong.';

/** Plays one script over all rounds, because a request holds the answers of the rounds before it. */
function round(script: readonly ScriptedTurn[], options: CoderOptions) {
  return scriptedCoder(script, { choice: { costUsd: () => 0.5 }, ...options });
}

/** The texts of the person's side of a prompt, in order. */
function userTexts(prompt: Prompt | undefined): string[] {
  return (prompt ?? []).flatMap(({ role, content }) =>
    role === 'user' ? [content.map((part) => (part.type === 'text' ? part.text : '')).join('')] : [],
  );
}

describe('a later round', () => {
  let first: ReturnType<typeof round>;
  beforeAll(async () => {
    first = round(FIRST, { files: FILES });
    await first.run();
  });
  const second = (options: CoderOptions = {}) =>
    round([...FIRST, ...SECOND], {
      files: first.files.snapshot(),
      earlier: [first.journal],
      feedback: RED,
      ...options,
    });

  it('goes on in the same conversation: its requests begin with the last request of the round before', async () => {
    const later = second();
    const { usage } = await later.run();
    const last = first.prompts.at(-1) ?? [];
    const [opening] = later.prompts;
    expect(JSON.stringify(opening?.slice(0, last.length))).toBe(JSON.stringify(last));
    expect(opening?.slice(last.length).map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
    expect(userTexts(opening).at(-1)).toContain(`<feedback>\n${RED}\n</feedback>`);
    expect(later.files.snapshot()).toEqual({ 'a.txt': 'right', 'b.txt': 'b' });
    expect(usage).toEqual({ input_tokens: 200, output_tokens: 20, cost_usd: 1 });
  });

  it('continues after a kill at any of its writes with the same requests', async () => {
    const whole = second();
    await whole.run();
    for (let nth = 1; nth <= 6; nth += 1) {
      let writes = 0;
      const killed = second({
        onAppended() {
          writes += 1;
          if (writes === nth) throw new Error('killed');
        },
      });
      await killed.run().catch(() => undefined);
      const next = second({ files: killed.files.snapshot(), journal: killed.journal });
      await next.run();
      expect(next.files.snapshot()).toEqual(whole.files.snapshot());
      const asked = new Set([...killed.prompts, ...next.prompts].map((prompt) => JSON.stringify(prompt)));
      expect([...asked]).toEqual(whole.prompts.map((prompt) => JSON.stringify(prompt)));
    }
  });

  it('has its own limits of turns and of corrections', async () => {
    const later = second({ choice: { maxTurns: 2 } });
    await expect(later.run()).resolves.toMatchObject({ output: { outcome: 'done' } });
    const third = round([...FIRST, ...SECOND, { text: 'half', finish: 'length' }, finished('Wrote it once more.')], {
      files: later.files.snapshot(),
      earlier: [first.journal, later.journal],
      feedback: 'Once more.',
      choice: { maxTurns: 2 },
    });
    await expect(third.run()).resolves.toMatchObject({ output: { summary: 'Wrote it once more.' } });
    expect(userTexts(third.prompts[0]).filter((text) => text.includes('<feedback>'))).toHaveLength(2);
  });

  it('is given feedback in the same words again', async () => {
    const later = second();
    await later.run();
    const third = round([...FIRST, ...SECOND, finished('It is right.'), finished('It is right.')], {
      files: later.files.snapshot(),
      earlier: [first.journal, later.journal],
      feedback: RED,
    });
    await third.run();
    expect(userTexts(third.prompts[0]).filter((text) => text.includes(RED))).toHaveLength(2);
  });

  it('is asked once when it ends in words, as the first round was', async () => {
    const announced: readonly ScriptedTurn[] = [
      { calls: [write('1', 'a.txt', 'wrong')] },
      { text: 'I changed a.txt.' },
      finished('Wrote a.txt.'),
    ];
    const before = round(announced, { files: FILES });
    await before.run();
    const fix: readonly ScriptedTurn[] = [{ text: 'I will look at the failing test first.' }, ...SECOND];
    const later = round([...announced, ...fix], {
      files: before.files.snapshot(),
      earlier: [before.journal],
      feedback: RED,
    });
    expect((await later.run()).output).toMatchObject({ outcome: 'done', summary: 'Corrected a.txt.' });
  });

  it('opens a conversation of its own where there is none to go on with', async () => {
    const later = round(SECOND, { files: FILES, feedback: RED });
    await later.run();
    expect(userTexts(later.prompts[0])[0]).toContain(`<feedback>\n${RED}\n</feedback>`);
  });
});

describe('a retry', () => {
  const STUCK = 'The coder made the same call 5 times.';

  it('is told in one message why the last attempt ended, and goes on in its tree', async () => {
    const first = round([FIRST[0] ?? {}, { error: new AppError('agent_stuck') }], { files: FILES });
    await expect(first.run()).rejects.toMatchObject({ code: 'agent_stuck' });
    const retry = round([FIRST[0] ?? {}, ...SECOND], {
      files: first.files.snapshot(),
      earlier: [first.journal],
      lastAttempt: STUCK,
    });
    await retry.run();
    const last = first.prompts.at(-1) ?? [];
    expect(JSON.stringify(retry.prompts[0]?.slice(0, last.length))).toBe(JSON.stringify(last));
    expect(userTexts(retry.prompts[0]).slice(1)).toEqual([
      `<last_attempt>\n${STUCK}\n</last_attempt>\n\nThe last attempt ended for the reason above. Its changes are still in the working tree. Go on from there.`,
    ]);
  });

  it('answers the calls that the last attempt left open, and saves what they left in the tree', async () => {
    const entries: JournalEntry[] = [];
    const first = round([{ calls: [write('1', 'a.txt', 'half'), call('2', 'run_command', { command: 'sleep' })] }], {
      files: FILES,
      command: () => Promise.reject(new AppError('stage_timeout')),
    });
    await expect(first.run()).rejects.toMatchObject({ code: 'stage_timeout' });
    entries.push(...first.journal);
    const retry = round([{}, ...SECOND], { files: first.files.snapshot(), earlier: [entries], lastAttempt: STUCK });
    await retry.run();
    expect(retry.kinds().slice(0, 3)).toEqual(['result 2', 'checkpoint', 'message']);
    expect(retry.checkpoints.length).toBeGreaterThan(0);
    expect(JSON.stringify(retry.prompts[0])).toContain('It may have had its effect');
  });

  it('counts what the last attempt may have written outside the plan, with its reason', async () => {
    const outside = call('1', 'delete_file', { path: 'c.txt', outside_plan_reason: 'It is not used any more.' });
    const first = round([{ calls: [outside] }], {
      files: { ...FILES, 'c.txt': 'c' },
      onAppended: ({ entries }) => {
        if (entries.some(({ kind }) => kind === 'begin')) throw new AppError('stage_timeout');
      },
    });
    await expect(first.run()).rejects.toMatchObject({ code: 'stage_timeout' });
    const retry = round([{}, finished('Deleted c.txt.')], {
      files: FILES,
      earlier: [first.journal],
      lastAttempt: STUCK,
    });
    const { output } = await retry.run();
    expect(output.outsidePlan).toEqual([{ path: 'c.txt', reason: 'It is not used any more.' }]);
  });

  it('begins with all that the last attempt left, which a later one may have to restore', async () => {
    const first = round(FIRST, { files: FILES });
    await first.run();
    const retry = round([{}, ...SECOND], {
      files: first.files.snapshot(),
      earlier: [first.journal],
      lastAttempt: STUCK,
    });
    await retry.run();
    expect(retry.kinds()[0]).toBe('checkpoint');
  });

  it('with a conversation of its own is told the same, and saves the tree at its start', async () => {
    const retry = round(SECOND, { files: { 'a.txt': 'half', 'b.txt': 'b' }, lastAttempt: STUCK });
    await retry.run();
    expect(userTexts(retry.prompts[0])[0]).toContain(`<last_attempt>\n${STUCK}\n</last_attempt>`);
    expect(retry.kinds()[0]).toBe('checkpoint');
  });
});
