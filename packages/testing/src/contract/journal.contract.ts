import type { JournalEntry } from '@sluice/core/agent';
import type { Usage } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { cancelled, claimed, eventsOf, runningIssue } from './pipeline-moves.ts';
import { aMessage } from './run-samples.ts';
import { atOnce, type OpenStores, writtenAgainst } from './store-harness.ts';

/** What a store promises of the journals of agents. */
export function journalContract(open: OpenStores): void {
  describe('a journal', () => {
    const key = { stage: 'implement', round: 1 } as const;
    const entries: JournalEntry[] = [
      { kind: 'message', message: { role: 'assistant', content: [{ type: 'text', text: 'I write.' }] } },
      { kind: 'begin', callId: 'call-1' },
      { kind: 'result', callId: 'call-1', message: { ok: true, lines: [1, null, 'x'] } },
      { kind: 'usage', usage: { input_tokens: 1, output_tokens: 2, cost_usd: null }, model: 'acme/m' },
      { kind: 'retrieved', paths: ['src/sum.js'] },
      { kind: 'note', seq: 3, message: { role: 'user', content: 'Look at sum, too.' } },
      { kind: 'trim', results: 2 },
      { kind: 'checkpoint', commit: null },
      { kind: 'rewind' },
      { kind: 'done', output: 'text' },
      { kind: 'reading_begun' },
      { kind: 'reading_ended', outcome: 'interrupted' },
    ];

    it('is read in the order in which it was written, apart for each round', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      for (const entry of entries) await stores.runs.appendJournal(lease, key, { entries: [entry], events: [] });
      await stores.runs.appendJournal(lease, { ...key, round: 2 }, { entries: entries.slice(0, 2), events: [] });
      expect(await stores.runs.journal(id, key)).toEqual(entries);
      expect(await stores.runs.journal(id, { ...key, round: 2 })).toEqual(entries.slice(0, 2));
      expect(await stores.runs.journal(id, { stage: 'plan', round: 1 })).toEqual([]);
    });

    it('is written together with its events, or not at all', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      expect(await stores.runs.appendJournal(lease, key, { entries, events: [aMessage, aMessage] })).toBe(true);
      const before = await eventsOf(stores, id);
      expect(before.slice(2).map(({ type }) => type)).toEqual(['user.message', 'user.message']);
      const wrong = { type: 'user.message', data: { text: 1 } } as unknown as typeof aMessage;
      await expect(stores.runs.appendJournal(lease, key, { entries, events: [aMessage, wrong] })).rejects.toThrow();
      expect(await stores.runs.journal(id, key)).toEqual(entries);
      expect(await eventsOf(stores, id)).toEqual(before);
    });

    it('takes more entries at once than one statement can bind', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const many = Array.from({ length: 2_500 }, (_, count): JournalEntry => ({ kind: 'begin', callId: `${count}` }));
      await stores.runs.appendJournal(await claimed(stores, id), key, { entries: many, events: [] });
      expect(await stores.runs.journal(id, key)).toEqual(many);
    });

    it('adds what was used to the issue in the same write; an unknown price makes the sum unknown', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      const use = async (...costs: (number | null)[]) => {
        const entries = costs.map((cost) => used({ input_tokens: 3_000_000_000, output_tokens: 1, cost_usd: cost }));
        await stores.runs.appendJournal(lease, key, { entries, events: [] });
        return (await stores.issues.get(id))?.usage;
      };
      expect(await use(0.25, 0.5)).toEqual({ input_tokens: 6_000_000_000, output_tokens: 2, cost_usd: 0.75 });
      expect(await use()).toEqual({ input_tokens: 6_000_000_000, output_tokens: 2, cost_usd: 0.75 });
      expect(await use(null)).toEqual({ input_tokens: 9_000_000_000, output_tokens: 3, cost_usd: null });
      expect(await use(0.25)).toMatchObject({ cost_usd: null });
    });

    it('counts every answer once when many are written at once', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      const entry = used({ input_tokens: 3, output_tokens: 2, cost_usd: 0.5 });
      await atOnce(12, (index) =>
        stores.runs.appendJournal(lease, { ...key, round: index % 2 }, { entries: [entry, entry], events: [] }),
      );
      expect((await stores.issues.get(id))?.usage).toEqual({ input_tokens: 72, output_tokens: 48, cost_usd: 12 });
    });

    it('and the usage of the issue say the same, whenever a cancel comes', async () => {
      await using stores = await open();
      const entry = used({ input_tokens: 3, output_tokens: 2, cost_usd: 0.5 });
      for (let round = 0; round < 10; round += 1) {
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        const append = () => stores.runs.appendJournal(lease, key, { entries: [entry], events: [aMessage] });
        const [written] = await writtenAgainst(append, () => cancelled(stores, id));
        expect(await stores.runs.journal(id, key)).toHaveLength(written);
        const usage = { input_tokens: 3 * written, output_tokens: 2 * written, cost_usd: 0.5 * written };
        expect((await stores.issues.get(id))?.usage).toEqual(usage);
      }
    });
  });
}

function used(usage: Usage): JournalEntry {
  return { kind: 'usage', usage, model: 'acme/m' };
}
