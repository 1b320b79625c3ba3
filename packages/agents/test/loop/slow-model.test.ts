import { AppError } from '@sluice/core/error';
import { describe, expect, it } from 'vitest';
import { call, scriptedCoder } from './scripted-coder.ts';
import { finished, type ScriptedTurn, scriptedChoice, scriptedModel } from './scripted-model.ts';

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

  it('is booked by estimate where it had begun, and people are told', async () => {
    const cut: ScriptedTurn = { text: 'I look at the file first. '.repeat(7), error: new AppError('model_timeout') };
    const choice = { costUsd: () => 0.25 };
    const turns = [cut, read(0), finished('Done.')];
    const coder = scriptedCoder((request) => turns[request] ?? {}, { files, choice });
    const { usage } = await coder.run();
    const [booked] = coder.journal.flatMap((entry) => (entry.kind === 'usage' ? [entry] : []));
    expect(booked).toMatchObject({ isEstimate: true, model: 'test/scripted', usage: { output_tokens: 52 } });
    expect(booked?.usage.input_tokens).toBeGreaterThan(1_000);
    // Both other answers count 100 tokens read and 10 written.
    expect(usage).toEqual({ input_tokens: (booked?.usage.input_tokens ?? 0) + 200, output_tokens: 72, cost_usd: 0.75 });
    expect(coder.serviceMessages()).toEqual([expect.stringMatching(/^An answer of test\/scripted broke off\./)]);
  });

  it('of a model that breaks off is booked to that model, when its fallback answers', async () => {
    const broken: ScriptedTurn = { text: 'I look.', error: new AppError('model_unavailable') };
    const fallback = scriptedChoice(scriptedModel(() => finished('Done.')).model, { name: 'test/fallback' });
    const coder = scriptedCoder(() => broken, { files, standIns: [fallback] });
    await coder.run();
    const booked = coder.journal.flatMap((entry) => (entry.kind === 'usage' ? [[entry.model, entry.isEstimate]] : []));
    expect(booked).toEqual([
      ['test/scripted', true],
      ['test/fallback', undefined],
    ]);
  });

  it('that a person cancels, or that never began, is not booked', async () => {
    const cancel = new AbortController();
    const coder = scriptedCoder(
      (request) => (request === 0 ? { refuses: new AppError('model_timeout') } : { text: 'I look.', hang: true }),
      { files, signal: cancel.signal, onLive: () => cancel.abort() },
    );
    await expect(coder.run()).rejects.toThrow();
    expect(coder.kinds()).not.toContain('usage');
  });

  it('ends the stage the second time, which is not retried by itself', async () => {
    const coder = scriptedCoder(() => slow, { files });
    await expect(coder.run()).rejects.toMatchObject({ code: 'model_timeout', retry: false });
    expect(coder.requests).toEqual([0, 0]);
  });
});
