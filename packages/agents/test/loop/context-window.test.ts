import type { LanguageModelV4Prompt as Prompt } from '@ai-sdk/provider';
import type { JournalEntry } from '@sluice/core/agent';
import { AppError } from '@sluice/core/error';
import { describe, expect, it } from 'vitest';
import { type CoderOptions, call, scriptedCoder } from './scripted-coder.ts';
import { finished, type ScriptedTurn, scriptedChoice, scriptedModel } from './scripted-model.ts';

const SHORTENED = 'Shortened by the service';
const counted = (prompt: Prompt) => Math.round(JSON.stringify(prompt).length / 4);
const long = (name: string) => `${name} begins\n${'some words of it\n'.repeat(700)}${name} ends\n`;
const files = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.txt`, long(`file ${index}`)]));
const small = { contextTokens: 40_000, maxOutputTokens: 4_000 };

/** Reads a file a turn, then ends. The server counts the tokens. */
function readsOf(turns: number, other: (request: number) => ScriptedTurn['calls'] = () => undefined) {
  return (request: number, prompt: Prompt): ScriptedTurn => {
    const calls = other(request) ?? [call(`${request}`, 'read_file', { path: `${request}.txt` })];
    return { ...(request < turns ? { calls } : finished('Done.')), inputTokens: counted(prompt) };
  };
}

function reader(turns: number, options: CoderOptions = {}) {
  return scriptedCoder(readsOf(turns), { files, choice: small, ...options });
}

const trims = (entries: readonly JournalEntry[]) =>
  entries.flatMap((entry) => (entry.kind === 'trim' ? [entry.results] : []));
const toolTexts = (prompt: Prompt | undefined) =>
  (prompt ?? []).flatMap((message) => (message.role === 'tool' ? [JSON.stringify(message.content)] : []));

describe('what a model is sent', () => {
  it('stays within its window over many turns, in big steps, oldest first', async () => {
    const coder = reader(30);
    await coder.run();
    for (const prompt of coder.prompts) expect(counted(prompt)).toBeLessThan(36_000);
    const steps = trims(coder.journal);
    expect(steps.length).toBeGreaterThan(1);
    // Each turn takes a tenth of the room here; between two steps the provider's cache holds.
    expect(steps.length).toBeLessThan(10);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    const texts = toolTexts(coder.prompts.at(-1));
    const first = texts.findIndex((text) => !text.includes(SHORTENED));
    expect(texts.slice(0, first)).toHaveLength(steps.at(-1) ?? 0);
    expect(texts.slice(first).some((text) => text.includes(SHORTENED))).toBe(false);
    expect(first).toBeLessThanOrEqual(texts.length - 3);
    expect(texts[0]).toContain('file 0 begins');
  });

  it('stays within it too where a server counts only what it does not have in its cache', async () => {
    let before = 0;
    const script = (request: number, prompt: Prompt): ScriptedTurn => {
      const inputTokens = counted(prompt) - before;
      before = counted(prompt);
      return { ...readsOf(30)(request, prompt), inputTokens: Math.max(1, inputTokens) };
    };
    const coder = scriptedCoder(script, { files, choice: small });
    await coder.run();
    for (const prompt of coder.prompts) expect(counted(prompt)).toBeLessThan(36_000);
    expect(trims(coder.journal).length).toBeLessThan(10);
  });

  it('only grows between two steps', async () => {
    const coder = reader(30);
    await coder.run();
    let changed = 0;
    for (const [index, prompt] of coder.prompts.entries()) {
      const before = coder.prompts[index - 1] ?? [];
      if (JSON.stringify(prompt.slice(0, before.length)) !== JSON.stringify(before)) changed += 1;
    }
    expect(changed).toBe(trims(coder.journal).length);
  });

  it('is asked for anyway where only an estimate says that the first request does not fit, and it may', async () => {
    const notes = (length: number) => ({ notes: () => [{ seq: 1, text: 'x '.repeat(length / 2) }] });
    const choice = { contextTokens: 16_000 };
    await expect(reader(1, { choice, ...notes(40_000) }).run()).resolves.toMatchObject({ output: { outcome: 'done' } });
    const far = reader(1, { choice, ...notes(60_000) });
    await expect(far.run()).rejects.toMatchObject({ code: 'model_context_full' });
    expect(far.requests).toEqual([]);
  });

  it('leaves out what the last turn wrote, where that alone is too long', async () => {
    const write = [call('w', 'write_file', { path: 'a.txt', content: 'x'.repeat(50_000) })];
    const coder = scriptedCoder(
      readsOf(2, (request) => (request === 1 ? write : undefined)),
      {
        files,
        choice: { contextTokens: 16_000 },
      },
    );
    await coder.run();
    expect(JSON.stringify(coder.prompts.at(-1))).toContain('50000 characters, which were taken as written');
  });

  it('is reported in plain words', async () => {
    const coder = reader(30);
    await coder.run();
    expect(coder.serviceMessages()).toHaveLength(trims(coder.journal).length);
    expect(coder.serviceMessages()[0]).toMatch(
      /first \d+ tool results are sent shortened, which saves about \d+ tokens/,
    );
  });

  it('always holds the instructions, the plan, notes and the newest failing command whole', async () => {
    const log = `tests begin\n${'some line of a log\n'.repeat(400)}expected 3, got 4\n${'and more\n'.repeat(400)}`;
    const run = (request: number) =>
      request === 1 || request === 4 ? [call(`${request}`, 'run_command', { command: `test ${request}` })] : undefined;
    const coder = scriptedCoder(readsOf(20, run), {
      files,
      choice: small,
      notes: (answers) => (answers >= 2 ? [{ seq: 5, text: `Mind the zero. ${'z'.repeat(2_000)}` }] : []),
      command: async (command) => {
        if (command === 'test 1') throw new AppError('sandbox_unavailable', { detail: log });
        return log;
      },
      exitCode: 1,
    });
    await coder.run();
    const last = coder.prompts.at(-1);
    expect(last?.slice(0, 2)).toEqual(coder.prompts[0]?.slice(0, 2));
    expect(JSON.stringify(last)).toContain(`Mind the zero. ${'z'.repeat(2_000)}`);
    const logs = toolTexts(last).filter((text) => text.includes('tests begin'));
    expect(logs.map((text) => text.includes('expected 3, got 4'))).toEqual([false, true]);
    expect(trims(coder.journal).at(-1)).toBeGreaterThan(5);
  });

  it('is the same after a restart, whatever is in memory', async () => {
    const whole = reader(30);
    await whole.run();
    const cuts = whole.journal.flatMap((entry, index) => (entry.kind === 'trim' ? [index, index + 1] : []));
    for (const cut of [...cuts, whole.journal.length - 4]) {
      const journal = whole.journal.slice(0, cut);
      const asked = journal.filter(({ kind }) => kind === 'usage').length;
      const next = scriptedCoder((request, prompt) => readsOf(30)(request + asked, prompt), {
        files,
        choice: small,
        journal,
      });
      await next.run();
      expect(next.prompts).toEqual(whole.prompts.slice(asked));
      expect(trims(next.journal)).toEqual(trims(whole.journal));
    }
  });

  it('goes on from the journal of an earlier version, whose steps only count results', async () => {
    const whole = reader(30);
    await whole.run();
    const cut = whole.journal.findIndex(({ kind }) => kind === 'trim') + 1;
    const journal = whole.journal
      .slice(0, cut)
      .map((entry) => (entry.kind === 'trim' ? { kind: entry.kind, results: 4 } : entry));
    const asked = journal.filter(({ kind }) => kind === 'usage').length;
    const next = scriptedCoder((request, prompt) => readsOf(30)(request + asked, prompt), {
      files,
      choice: small,
      journal,
    });
    await next.run();
    const short = toolTexts(next.prompts[0]).map((text) => text.includes(SHORTENED));
    expect(short.slice(0, 5)).toEqual([true, true, true, true, false]);
    for (const prompt of next.prompts) expect(counted(prompt)).toBeLessThan(36_000);
  });

  it('is never shortened for a model without a window', async () => {
    const coder = reader(30, { choice: {} });
    await coder.run();
    expect(trims(coder.journal)).toEqual([]);
  });
});

describe('a window that is full', () => {
  const full = new AppError('model_context_full', { detail: 'prompt is too long' });

  it('by the word of the provider is trimmed once harder and asked again', async () => {
    const coder = scriptedCoder(
      (request, prompt) => (request === 6 ? { refuses: full } : readsOf(7)(request, prompt)),
      { files, choice: { contextTokens: 1_000_000, maxOutputTokens: 4_000 } },
    );
    await coder.run();
    expect(trims(coder.journal)).toEqual([5]);
    expect(coder.requests).toHaveLength(8);
    expect(counted(coder.prompts[7] ?? [])).toBeLessThan(counted(coder.prompts[6] ?? []) / 2);
  });

  it('is that of the model which stands in', async () => {
    const standIn = scriptedModel((answered, prompt) => readsOf(30)(answered, prompt));
    const away = new AppError('model_overloaded');
    const coder = scriptedCoder(() => ({ refuses: away }), {
      files,
      choice: { contextTokens: 1_000_000, maxOutputTokens: 4_000 },
      standIns: [scriptedChoice(standIn.model, { name: 'test/second', ...small })],
    });
    await coder.run();
    expect(coder.requests).toHaveLength(1);
    for (const prompt of standIn.prompts) expect(counted(prompt)).toBeLessThan(36_000);
  });

  it('of a fallback that is too small does not keep the first choice from being asked', async () => {
    let requests = 0;
    const standIn = scriptedModel(() => ({ refuses: full }));
    const script = (request: number, prompt: Prompt): ScriptedTurn => {
      requests += 1;
      return requests === 1 ? { refuses: new AppError('model_overloaded') } : readsOf(9)(request, prompt);
    };
    const tiny = { name: 'test/second', contextTokens: 6_000, maxOutputTokens: 1_000 };
    const coder = scriptedCoder(script, { files, choice: small, standIns: [scriptedChoice(standIn.model, tiny)] });
    await expect(coder.run()).rejects.toMatchObject({ code: 'model_overloaded' });
    expect((await coder.run()).output.summary).toBe('Done.');
  });

  it('fails when the provider says so again, and is not asked more often after a restart', async () => {
    const choice = { contextTokens: 1_000_000, maxOutputTokens: 4_000 };
    const coder = scriptedCoder((request, prompt) => (request >= 6 ? { refuses: full } : readsOf(7)(request, prompt)), {
      files,
      choice,
    });
    await expect(coder.run()).rejects.toMatchObject({ code: 'model_context_full' });
    expect(coder.requests).toHaveLength(8);
    const next = scriptedCoder(() => ({ refuses: full }), { files, choice, journal: coder.journal });
    await expect(next.run()).rejects.toMatchObject({ code: 'model_context_full' });
    expect(next.requests).toHaveLength(1);
  });
});
