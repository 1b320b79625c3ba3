import type { LanguageModelV4Prompt as Prompt } from '@ai-sdk/provider';
import { AppError } from '@sluice/core/error';
import { describe, expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { aDiff, anIssue, aPlanFor, memoryContext } from './memory-context.ts';
import { measurePrefix } from './prompt-prefix.ts';
import { type CoderOptions, call, scriptedCoder } from './scripted-coder.ts';
import { finished, type ScriptedTurn, scriptedChoice, scriptedModel } from './scripted-model.ts';

const CHARACTERS = 4; // a token, by the count of the server below
const counted = (prompt: Prompt) => Math.round(JSON.stringify(prompt).length / CHARACTERS);
const text = (name: string, bytes: number) => `${name}\n${'const value = compute(41, 42);\n'.repeat(bytes / 32)}`;
const files: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`f${index}.js`, text(`// file ${index}`, 4_000)]),
);
const plan = aPlanFor(Array.from({ length: 20 }, (_, index) => `new${index}.js`));
const read = (path: string, id = path) => call(id, 'read_file', { path });
const write = (path: string, content: string) => call(path, 'write_file', { path, content });

/** Plays turns with nothing known of the model but its window. The server counts the tokens. */
function played(contextTokens: number, turns: readonly ScriptedTurn[], options: CoderOptions = {}) {
  const script = (_request: number, prompt: Prompt): ScriptedTurn => {
    const turn = turns[prompt.filter(({ role }) => role === 'assistant').length] ?? finished('Done.');
    return { ...turn, inputTokens: counted(prompt) };
  };
  return scriptedCoder(script, { files, plan, choice: { contextTokens }, ...options });
}

const sizes = (prompts: readonly Prompt[]) => prompts.map(counted);

describe('a turn that is too big for what is left of the window', () => {
  it('is shortened when it read three whole files at once', async () => {
    const big = { 'a.js': text('a', 38_000), 'b.js': text('b', 38_000), 'c.js': text('c', 38_000) };
    const coder = played(32_768, [{ calls: Object.keys(big).map((path) => read(path)) }], { files: big });
    await coder.run();
    expect(Math.max(...sizes(coder.prompts))).toBeLessThan(32_768);
    expect(JSON.stringify(coder.prompts.at(-1))).toContain('a.js: lines 1-');
  });

  it('is taken when it writes six new files of 16 KB, one after the other', async () => {
    const turns = Array.from({ length: 6 }, (_, index) => ({
      calls: [write(`new${index}.js`, text(`// new ${index}`, 16_000))],
    }));
    const coder = played(32_768, turns);
    const { output } = await coder.run();
    expect(output.outcome).toBe('done');
    expect(Math.max(...sizes(coder.prompts))).toBeLessThan(32_768);
    expect(coder.files.snapshot()['new5.js']).toHaveLength(text('// new 5', 16_000).length);
    const isLeftOut = /\(\d{5} characters, which were taken as written/.test(JSON.stringify(coder.prompts.at(-1)));
    expect(isLeftOut).toBe(true);
  });

  it('is reviewed as far as it fits when the diff has 100 KB', async () => {
    const long = Array.from({ length: 5 }, (_, index) => {
      const lines = `+${'x'.repeat(60)}\n`.repeat(330);
      return `diff --git a/f${index}.js b/f${index}.js\n--- a/f${index}.js\n+++ b/f${index}.js\n@@ -0,0 +1,330 @@\n${lines}`;
    });
    const { model, prompts } = scriptedModel((_answered, prompt) => ({
      text: JSON.stringify({ decision: 'approve', summary: 'Good.', findings: [] }),
      inputTokens: counted(prompt),
    }));
    const { issue } = anIssue();
    const runner = createAgentRunner({
      models: () => [scriptedChoice(model, { contextTokens: 32_768 })],
      clock: { now: () => new Date() },
    });
    const paths = long.map((_, index) => `f${index}.js`);
    const input = {
      issue,
      plan: aPlanFor(paths),
      diff: aDiff(long.join(''), paths),
      tests: null,
      outsidePlan: [],
      findings: [],
    };
    await runner.run('reviewer', input, memoryContext({ files }).context);
    const [size = 0] = sizes(prompts);
    expect(size).toBeLessThan(20_000);
    for (const path of paths) expect(JSON.stringify(prompts[0])).toContain(`+++ b/${path}`);
  });

  it('ends the work in words where even the request does not fit', async () => {
    const coder = played(3_000, [{ calls: [read('f0.js')] }]);
    await expect(coder.run()).rejects.toMatchObject({
      code: 'model_context_full',
      message: expect.stringMatching(/takes about \d+ tokens, but the model has room for \d+/),
    });
    expect(coder.requests).toEqual([]);
  });
});

describe.each([16_384, 24_576])('in a window of %i tokens', (contextTokens) => {
  const broken = (index: number) => text(`// broken ${index}`, 16_000);
  const absent = (index: number) => text(`// absent ${index}`, 8_000);

  it.each<[string, (index: number) => NonNullable<ScriptedTurn['calls']>[number]]>([
    ['files that do not parse', (index) => write(`new${index}.js`, broken(index))],
    [
      'edits whose text is not there',
      (index) => call('e', 'edit_file', { path: 'new0.js', old_text: absent(index), new_text: broken(index) }),
    ],
  ])('leaves out %s that were refused, and the work goes on with the last of them', async (_what, made) => {
    const coder = played(
      contextTokens,
      Array.from({ length: 5 }, (_, index) => ({ calls: [made(index)] })),
      { files: { ...files, 'new0.js': 'one\n' }, syntaxFaults: () => [{ line: 1, problem: 'broken' }] },
    );
    const { output } = await coder.run();
    expect(output.outcome).toBe('done');
    expect(Math.max(...sizes(coder.prompts))).toBeLessThan(contextTokens);
    const last = JSON.stringify(coder.prompts.at(-1));
    expect(last).toContain('characters, of a call that was refused; left out');
    expect(last).toContain(JSON.stringify(broken(4)).slice(1, -1));
  });

  it('shortens or leaves out the oldest of 95 turns of short results, and the work goes on', async () => {
    const output = (name: string) => `${name} begins\n${'word '.repeat(146)}${name} ends`;
    const name = (index: number) => String.fromCodePoint(0x3b1 + (index % 24)).repeat(1 + Math.floor(index / 24));
    const turns = Array.from({ length: 95 }, (_, index) => {
      return { calls: [call('c', 'run_command', { command: `make ${name(index)}` })] };
    });
    const coder = played(contextTokens, turns, {
      notes: (answers) => (answers >= 9 ? [{ seq: 3, text: `Mind the zero. ${'z'.repeat(900)}` }] : []),
      command: async (command) => {
        if (command === `make ${name(40)}`) throw new AppError('sandbox_unavailable', { detail: output('failure') });
        return output(command);
      },
    });
    await coder.run();
    expect(coder.requests).toHaveLength(96);
    expect(Math.max(...sizes(coder.prompts))).toBeLessThan(contextTokens);
    const [first, last] = [coder.prompts[0], coder.prompts.at(-1)];
    expect(last?.slice(0, 2)).toEqual(first);
    const sent = JSON.stringify(last);
    expect(sent.includes('(Left out by the service to make room. Call')).toBe(contextTokens < 20_000);
    for (const whole of [`Mind the zero. ${'z'.repeat(900)}`, output('failure'), output(`make ${name(94)}`)])
      expect(sent).toContain(JSON.stringify(whole).slice(1, -1));
  });
});

describe('what is shortened first', () => {
  it('is what was written, and what was read of a file that was changed since', async () => {
    const turns: ScriptedTurn[] = [
      { calls: [write('new0.js', text('// new', 26_000))] },
      { calls: [read('f0.js')] },
      { calls: [read('f1.js')] },
      { calls: [call('e', 'edit_file', { path: 'f0.js', old_text: '// file 0', new_text: '// changed' })] },
      ...Array.from({ length: 9 }, (_, index) => ({ calls: [read(`f${index + 2}.js`)] })),
    ];
    const coder = played(20_000, turns, { plan: aPlanFor(['new0.js', 'f0.js']) });
    await coder.run();
    const [trim] = coder.journal.flatMap((entry) => (entry.kind === 'trim' ? [entry] : []));
    const at = coder.prompts.findIndex((prompt) => JSON.stringify(prompt).includes('left out by the service'));
    const sent = JSON.stringify(coder.prompts[at]);
    expect(trim?.results).toBe(0);
    expect(sent).toContain('characters, which were taken as written');
    expect(sent).toContain('this file was changed or read again later');
    expect(sent).toContain('// file 1\\n');
    expect(sent).not.toContain('Shortened by the service');
  });
});

describe.each([16_384, 32_768, 200_000])('a window of %i tokens', (contextTokens) => {
  it('is used in big steps over sixty turns of reading, writing and testing', async () => {
    const turns = Array.from({ length: 60 }, (_, index): ScriptedTurn => {
      if (index % 5 === 3) return { calls: [write(`new${index % 20}.js`, text(`// new ${index}`, 3_000))] };
      if (index % 5 === 4) return { calls: [call('t', 'run_command', { command: `node --test # ${index}` })] };
      return { calls: [read(`f${index % 40}.js`)] };
    });
    let tests = 0;
    const command = async () => {
      tests += 1;
      return `not ok ${tests}\n${`at line ${tests}\n`.repeat(60)}`;
    };
    const coder = played(contextTokens, turns, { command });
    await coder.run();
    const { breaks, cacheableShare, grown } = measurePrefix(coder.prompts);
    expect(coder.prompts).toHaveLength(61);
    expect(Math.max(...sizes(coder.prompts))).toBeLessThan(contextTokens);
    // One break of the prefix for each 30 % of the window that was added.
    expect(breaks).toBeLessThanOrEqual(grown / CHARACTERS / (0.3 * contextTokens));
    if (contextTokens >= 32_000) {
      expect(measurePrefix(coder.prompts.slice(0, 20)).cacheableShare).toBeGreaterThan(0.8);
      expect(cacheableShare).toBeGreaterThan(0.8);
    }
  });
});
