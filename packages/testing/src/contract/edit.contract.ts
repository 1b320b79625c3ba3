import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { applied, cancelled, eventsOf, replayStatus, runningIssue } from './pipeline-moves.ts';
import { newIssueOn, type OpenStores, registeredRepo, writtenAgainst } from './store-harness.ts';

/** What a store promises of an issue whose text is changed before it is started. */
export function editContract(open: OpenStores): void {
  describe('an edit', () => {
    const text = { title: 'Another title', body: 'Another body.\0', warnings: ['Hidden text: one.'] };

    it('writes the text, its warnings and an event, and leaves the rest', async () => {
      await using stores = await open();
      const before = applied(await stores.issues.create(newIssueOn(await registeredRepo(stores)), { queue: false }));
      const edited = await stores.issues.edit(before.id, text);
      expect(edited).toEqual({
        ...before,
        title: text.title,
        body: 'Another body.',
        pipeline: { ...before.pipeline, warnings: text.warnings },
        lastSeq: before.lastSeq + 1,
        updatedAt: expect.any(Date),
      });
      expect(await stores.issues.get(before.id)).toEqual(edited);
      expect((await eventsOf(stores, before.id)).at(-1)).toMatchObject({
        type: 'issue.status',
        seq: before.lastSeq + 1,
        data: { from: 'pending', to: 'pending', queue_position: null, detail: 'Its text was changed.' },
      });
      expect(stores.heard.events.at(-1)).toMatchObject({ issueId: before.id, seq: before.lastSeq + 1 });
    });

    it('is refused, and writes nothing, once the issue is queued, runs or has ended', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const running = await runningIssue(stores);
      const repo = await registeredRepo(stores);
      const queued = applied(await stores.issues.create(newIssueOn(repo), { queue: true }));
      const ended = applied(await stores.issues.create(newIssueOn(repo), { queue: false }));
      await cancelled(stores, ended.id);
      for (const { id } of [running, queued, ended]) {
        const before = await stores.issues.get(id);
        expect(await stores.issues.edit(id, text)).toBeNull();
        expect(await stores.issues.get(id)).toEqual(before);
      }
      expect(await stores.issues.edit(newId(), text)).toBeNull();
    });

    it('never comes after the start, however close they are', async () => {
      await using stores = await open({ maxActivePipelines: 20 });
      for (let round = 0; round < 10; round += 1) {
        const repo = await registeredRepo(stores);
        const { id } = applied(await stores.issues.create(newIssueOn(repo), { queue: false }));
        const from = { status: 'pending', queued: false } as const;
        const start = () => stores.issues.apply({ issueId: id, from, trigger: 'queued', events: [] });
        const edit = async () => (await stores.issues.edit(id, text)) !== null;
        const [taken, started] = await writtenAgainst(edit, start);
        expect(applied(started).title).toBe(text.title);
        const events = await eventsOf(stores, id);
        expect(replayStatus(events)).toBe('running');
        const isEdit = events.map(({ data }) => 'detail' in data && data.detail === 'Its text was changed.');
        expect(isEdit).toEqual([false, ...Array(taken).fill(true), ...isEdit.slice(taken + 1).map(() => false)]);
      }
    });
  });
}
