import { AppError } from '@sluice/core';
import { describe, expect, it } from 'vitest';
import { call, scriptedCoder } from './scripted-coder.ts';
import type { ScriptedTurn } from './scripted-model.ts';

const slow: ScriptedTurn = { refuses: new AppError('model_timeout') };
const read = (id: number): ScriptedTurn => ({ calls: [call(`${id}`, 'read_file', { path: `${id}.txt` })] });
const files = { '0.txt': 'a', '1.txt': 'b' };

describe('an answer that takes too long', () => {
  it('is asked for once more, at each turn', async () => {
    const turns = [slow, read(0), slow, read(1), slow, { text: 'Done.' }];
    const coder = scriptedCoder((request) => turns[request] ?? { text: 'Done.' }, { files });
    const { output } = await coder.run();
    expect(output.outcome).toBe('done');
    expect(coder.requests.slice(0, 6)).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it('ends the stage the second time, which is not retried by itself', async () => {
    const coder = scriptedCoder(() => slow, { files });
    await expect(coder.run()).rejects.toMatchObject({ code: 'model_timeout', retry: false });
    expect(coder.requests).toEqual([0, 0]);
  });
});
