import { describe, expect, it } from 'vitest';
import { aPlan } from '../builder/a-plan.ts';
import { newId } from '../builder/ids.ts';
import { untilFound } from '../wait/until.ts';
import {
  applied,
  broughtToGate,
  cancelled,
  claimed,
  eventsOf,
  failed,
  replayStatus,
  runningIssue,
} from './pipeline-moves.ts';
import { LONG_MS, SHORT_MS } from './run-samples.ts';
import { atOnce, newIssueOn, type OpenStores, registeredRepo, writtenAgainst } from './store-harness.ts';

/** What a store promises of what people write to the working agents. */
export function noteContract(open: OpenStores): void {
  describe('a note', () => {
    const key = { stage: 'implement', round: 1 } as const;

    it('is an event, and unread until a journal says that an agent has read it', async () => {
      await using stores = await open();
      const { issues, runs } = stores;
      const { id, userId, repoId, lastSeq } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      expect(await runs.notes(id)).toEqual([]);
      expect(await issues.addNote(id, 'Leave the API.\0')).toBe(true);
      await runs.record(lease, [{ type: 'agent.message', data: { agent: 'coder', text: 'I read.' } }]);
      await issues.addNote(id, 'And the docs.');
      const first = { seq: lastSeq + 1, text: 'Leave the API.' };
      const second = { seq: lastSeq + 3, text: 'And the docs.' };
      expect(await runs.notes(id)).toEqual([first, second]);
      expect((await eventsOf(stores, id)).at(-1)).toMatchObject({
        type: 'user.message',
        seq: second.seq,
        data: { text: second.text },
      });
      expect(stores.heard.events.at(-1)).toEqual({ issueId: id, userId, repoId, seq: second.seq });

      const read = (seq: number) =>
        runs.appendJournal(lease, key, { entries: [{ kind: 'note', seq, message: {} }], events: [] });
      await read(first.seq);
      expect(await runs.notes(id)).toEqual([second]);
      await read(second.seq);
      await read(first.seq);
      expect(await runs.notes(id)).toEqual([]);
      await issues.addNote(id, 'One more.');
      expect(await runs.notes(id)).toEqual([{ seq: second.seq + 1, text: 'One more.' }]);
    });

    it('is told to later agents once it was read, with what was said at the publish gate', async () => {
      await using stores = await open();
      const { issues, runs } = stores;
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      await issues.addNote(id, 'Leave the API.');
      expect(await runs.said(id)).toEqual([]);
      const [note] = await runs.notes(id);
      await runs.appendJournal(lease, key, {
        entries: [{ kind: 'note', seq: note?.seq ?? 0, message: {} }],
        events: [],
      });
      const decided = (guidance: string | null) =>
        ({
          type: 'review.decided',
          data: { revision: 1, action: guidance === null ? 'approve' : 'instruct', guidance, user_id: newId() },
        }) as const;
      const planned = { type: 'plan.created', data: { plan: { ...aPlan(), revision: 1 } } } as const;
      await runs.record(lease, [decided('Another plan.'), planned, decided(null), decided('Not the workflow.')]);
      await issues.addNote(id, 'Unread.');
      expect(await runs.said(id)).toEqual([
        { kind: 'note', text: 'Leave the API.' },
        { kind: 'guidance', text: 'Not the workflow.' },
      ]);
    });

    it('stays unread when the agent that would have read it has lost the issue', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const old = await claimed(stores, id, SHORT_MS);
      await stores.issues.addNote(id, 'Leave the API.');
      const [note] = await stores.runs.notes(id);
      await untilFound(() => stores.runs.claim(id, { owner: 'worker-2', ttlMs: LONG_MS }));
      const entry = { kind: 'note', seq: note?.seq ?? 0, message: {} } as const;
      expect(await stores.runs.appendJournal(old, key, { entries: [entry], events: [] })).toBe(false);
      expect(await stores.runs.notes(id)).toEqual([note]);
    });

    it('is taken while agents work on the issue alone, and kept for them over a pause', async () => {
      await using stores = await open();
      const { issues, runs } = stores;
      const repo = await registeredRepo(stores);
      const pending = applied(await issues.create(newIssueOn(repo), { queue: false }));
      const paused = await runningIssue(stores);
      await issues.addNote(paused.id, 'Small steps.');
      const before = await broughtToGate(stores, paused.id);
      const ended = await runningIssue(stores);
      await cancelled(stores, ended.id);
      const broken = await runningIssue(stores);
      await failed(stores, broken.id);
      for (const { id } of [pending, paused, ended, broken]) {
        const events = await eventsOf(stores, id);
        expect(await issues.addNote(id, 'Hello?')).toBe(false);
        expect(await eventsOf(stores, id)).toEqual(events);
      }
      expect(await issues.addNote(newId(), 'Hello?')).toBe(false);
      expect(await runs.notes(newId())).toEqual([]);
      expect(await issues.get(paused.id)).toEqual(before);
      expect((await runs.notes(paused.id)).map(({ text }) => text)).toEqual(['Small steps.']);
    });

    it('never stands behind the event that ended the issue, whenever that comes', async () => {
      await using stores = await open();
      for (let round = 0; round < 10; round += 1) {
        const { id } = await runningIssue(stores);
        const note = () => stores.issues.addNote(id, 'Now?');
        const [taken, ended] = await writtenAgainst(note, () => cancelled(stores, id));
        const events = await eventsOf(stores, id);
        expect(replayStatus(events)).toBe('cancelled');
        expect(events.at(-1)).toMatchObject({ type: 'issue.status', seq: ended.lastSeq });
        expect(events.filter(({ type }) => type === 'user.message')).toHaveLength(taken);
      }
    });

    it('comes before the gate or is refused when the plan is finished at the same moment', async () => {
      await using stores = await open({ maxActivePipelines: 10 });
      for (let round = 0; round < 10; round += 1) {
        const { id } = await runningIssue(stores);
        const note = () => stores.issues.addNote(id, 'Now?');
        const [taken] = await writtenAgainst(note, () => broughtToGate(stores, id));
        const types = (await eventsOf(stores, id)).map(({ type }) => type);
        expect(types.lastIndexOf('user.message')).toBeLessThan(types.indexOf('plan.created'));
        expect(await stores.runs.notes(id)).toHaveLength(taken);
      }
    });

    it('is numbered without a gap when many people write at once', async () => {
      await using stores = await open();
      const { id, lastSeq } = await runningIssue(stores);
      await atOnce(10, (index) => stores.issues.addNote(id, `${index}`));
      const notes = await stores.runs.notes(id);
      expect(notes.map(({ seq }) => seq)).toEqual(Array.from({ length: 10 }, (_, index) => lastSeq + 1 + index));
      expect(notes.map(({ text }) => text).sort()).toEqual(Array.from({ length: 10 }, (_, index) => `${index}`));
    });
  });
}
