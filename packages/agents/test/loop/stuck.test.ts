import { describe, expect, it } from 'vitest';
import { call, scriptedCoder } from './scripted-coder.ts';
import type { ScriptedTurn } from './scripted-model.ts';
import { finished } from './scripted-model.ts';

const isTold = (prompt: unknown) => JSON.stringify(prompt).includes('You are going round in circles');
const turn = (...calls: NonNullable<ScriptedTurn['calls']>): ScriptedTurn => ({ calls });
const read = (id: string | number, path: string) => call(`${id}`, 'read_file', { path });
const files = { 'a.txt': 'a', x: 'x', y: 'y' };

describe('the same call with the same result', () => {
  it('is told the third time, and ends the work the fifth time', async () => {
    const coder = scriptedCoder((request) => turn(read(request, 'x')), { files });
    await expect(coder.run()).rejects.toMatchObject({
      code: 'agent_stuck',
      message: expect.stringContaining('read_file {"path":"x"}'),
    });
    expect(coder.requests).toHaveLength(5);
    expect(coder.prompts.map(isTold)).toEqual([false, false, false, true, true]);
    expect(coder.serviceMessages()).toEqual([expect.stringContaining('it made the same call 3 times')]);
  });

  it.each([
    ['an unknown tool', () => call('1', 'launch', { now: true })],
    ['input that is no JSON', () => call('1', 'read_file', '{"path": "a')],
    ['a refusal', () => read('1', 'none.txt')],
    [
      'members in another order',
      (n: number) => call('1', 'search_text', n % 2 ? { pattern: 'q', path: 'x' } : { path: 'x', pattern: 'q' }),
    ],
  ])('counts for %s too', async (_name, made) => {
    const coder = scriptedCoder((request) => turn(made(request)), { files });
    await expect(coder.run()).rejects.toMatchObject({ code: 'agent_stuck' });
    expect(coder.requests).toHaveLength(5);
    expect(coder.prompts.map(isTold)).toEqual([false, false, false, true, true]);
  });

  it('does not differ by how long a command took', async () => {
    let ms = 0;
    const coder = scriptedCoder((request) => turn(call(`${request}`, 'run_command', { command: 'test' })), {
      command: async () => {
        ms += 7;
        return `1 failed in ${ms} ms`;
      },
    });
    await expect(coder.run()).rejects.toMatchObject({ code: 'agent_stuck' });
    expect(coder.commands).toHaveLength(5);
  });

  it('is noticed by turns with another, in one answer and in two', async () => {
    const byTurns = scriptedCoder((request) => turn(read(request, request % 2 === 0 ? 'x' : 'y')), { files });
    await expect(byTurns.run()).rejects.toMatchObject({ code: 'agent_stuck' });
    expect(byTurns.requests).toHaveLength(8);
    const both = scriptedCoder(() => turn(read('1', 'x'), read('2', 'y')), { files });
    await expect(both.run()).rejects.toMatchObject({ code: 'agent_stuck' });
    expect(both.requests).toHaveLength(5);
  });

  it('counts across restarts', async () => {
    const script = (request: number) => turn(read(request, 'x'));
    const coder = scriptedCoder(script, { files });
    await expect(coder.run()).rejects.toMatchObject({ code: 'agent_stuck' });
    const results = coder.journal.flatMap(({ kind }, index) => (kind === 'result' ? [index] : []));
    for (const [done, index] of results.entries()) {
      const next = scriptedCoder(script, { files, journal: coder.journal.slice(0, index + 1) });
      await expect(next.run()).rejects.toMatchObject({ code: 'agent_stuck' });
      expect(next.requests).toHaveLength(4 - done);
    }
  });

  it('is no loop when something else happens in between, or the result changes', async () => {
    const edits = (request: number): ScriptedTurn => {
      if (request === 10) return finished('Done.');
      if (request % 2 === 0) return turn(call('t', 'run_command', { command: 'test' }));
      return turn(call('w', 'write_file', { path: 'a.txt', content: 'one more line\n'.repeat(request) }));
    };
    await expect(scriptedCoder(edits, { files, command: async () => '1 failed' }).run()).resolves.toBeDefined();
    let count = 0;
    const polls = (request: number) =>
      request === 16 ? finished('Done.') : turn(call('t', 'run_command', { command: 'status' }));
    const command = async () => {
      count += 1;
      return `${count} of 16 done`;
    };
    await expect(scriptedCoder(polls, { command }).run()).resolves.toBeDefined();
  });

  it('counts from zero again after a note of a user', async () => {
    const coder = scriptedCoder((request) => turn(read(request, 'x')), {
      files,
      notes: (answers) => (answers === 4 ? [{ seq: 7, text: 'Look at y.' }] : []),
    });
    await expect(coder.run()).rejects.toMatchObject({ code: 'agent_stuck' });
    expect(coder.requests).toHaveLength(9);
  });

  it('counts once in one answer', async () => {
    const calls = [1, 2, 3, 4, 5, 6].map((id) => read(id, 'x'));
    const { output } = await scriptedCoder([turn(...calls), finished('Done.')], { files }).run();
    expect(output.summary).toBe('Done.');
  });
});
