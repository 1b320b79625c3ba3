import { describe, expect, it } from 'vitest';
import { call, scriptedCoder } from './scripted-coder.ts';
import type { ScriptedTurn } from './scripted-model.ts';

const COME_TO_AN_END = 'Come to an end now';
const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.txt`, `file ${index}\n`]));
const choice = { maxTurns: 20 };
const reads = (request: number): ScriptedTurn => ({
  calls: [call(`${request}`, 'read_file', { path: `${request}.txt` })],
});
const isTold = (prompt: unknown) => JSON.stringify(prompt).includes(COME_TO_AN_END);

describe('an agent that nears a limit', () => {
  it('is told once to come to an end at 80 % of its turns', async () => {
    const script = (request: number, prompt: unknown) => (isTold(prompt) ? { text: 'Done.' } : reads(request));
    const coder = scriptedCoder(script, { files, choice });
    const { output } = await coder.run();
    expect(output.summary).toBe('Done.');
    expect(coder.prompts.findIndex(isTold)).toBe(16);
    const told = coder.serviceMessages().filter((text) => text.includes('told'));
    expect(told).toEqual(['The coder was told to come to an end: 16 of 20 turns are used.']);
  });

  it('is told by the limit that is used most', async () => {
    const limitUse = () => [
      { share: 0.5, detail: '1.00 of 2.00 USD' },
      { share: 0.9, detail: '27.0 of 30.0 minutes for this stage' },
    ];
    const coder = scriptedCoder([reads(0), { text: 'Done.' }], { files, choice, limitUse });
    await coder.run();
    expect(JSON.stringify(coder.prompts[0])).toContain('27.0 of 30.0 minutes for this stage are used. Come to an end');
    expect(coder.serviceMessages().filter((text) => text.includes('told'))).toHaveLength(1);
  });

  it('is not told again, neither in later turns nor by a process that goes on', async () => {
    const coder = scriptedCoder(reads, { files, choice });
    await expect(coder.run()).rejects.toMatchObject({ code: 'agent_turns_exceeded' });
    expect(coder.prompts.map(isTold)).toEqual(Array.from({ length: 20 }, (_, index) => index >= 16));
    for (const [index, entry] of coder.journal.entries()) {
      if (entry.kind !== 'told') continue;
      for (const length of [index, index + 1]) {
        const next = scriptedCoder((request) => reads(request + 16), {
          files,
          choice,
          journal: coder.journal.slice(0, length),
        });
        await expect(next.run()).rejects.toMatchObject({ code: 'agent_turns_exceeded' });
        expect(next.prompts).toEqual(coder.prompts.slice(16));
      }
    }
    expect(coder.journal.filter(({ kind }) => kind === 'told')).toHaveLength(1);
  });
});
