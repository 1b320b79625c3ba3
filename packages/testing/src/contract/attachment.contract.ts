import { MAX_ISSUE_ATTACHMENTS, MAX_UNUSED_ATTACHMENTS, UNUSED_MS } from '@sluice/core/attachment';
import type { AttachmentId, IssueId, UserId } from '@sluice/core/id';
import { describe, expect, it } from 'vitest';
import { aNewAttachment } from '../builder/an-attachment.ts';
import { newId } from '../builder/ids.ts';
import { broughtToGate, cancelled, eventsOf, runningIssue } from './pipeline-moves.ts';
import {
  atOnce,
  newIssueOn,
  type OpenStores,
  registeredRepo,
  registeredUser,
  type StoreHarness,
  tally,
} from './store-harness.ts';

async function uploaded(stores: StoreHarness, userId: UserId, content = 'GET / 500\n'): Promise<AttachmentId> {
  const outcome = await stores.attachments.put(aNewAttachment({ userId, content: new TextEncoder().encode(content) }));
  if (outcome.kind !== 'stored') throw new Error(`it was not stored: ${outcome.kind}`);
  return outcome.attachment.id;
}

async function createdWith(stores: StoreHarness, userId: UserId, ids: readonly AttachmentId[]): Promise<IssueId> {
  const repo = await registeredRepo(stores, { userId });
  const issue = newIssueOn(repo, { attachments: ids });
  await stores.issues.create(issue, { queue: false });
  return issue.id;
}

/** What a store promises of pictures and texts. */
export function attachmentContract(engine: string, open: OpenStores): void {
  describe(`attachments on ${engine}`, () => {
    it('are found with their size, and their content byte for byte', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const content = Uint8Array.from({ length: 70_000 }, (_, at) => at % 251);
      const given = aNewAttachment({ userId, content, mediaType: 'image/png', width: 20, height: 10 });
      await stores.attachments.put(given);
      expect(await stores.attachments.find(given.id)).toEqual({
        id: given.id,
        userId,
        issueId: null,
        name: 'server.log',
        mediaType: 'image/png',
        bytes: 70_000,
        width: 20,
        height: 10,
        createdAt: stores.clock.now(),
      });
      expect(Buffer.compare((await stores.attachments.content(given.id)) ?? Buffer.alloc(0), content)).toBe(0);
      expect(await stores.attachments.find(newId() as AttachmentId)).toBeNull();
      expect(await stores.attachments.content(newId() as AttachmentId)).toBeNull();
    });

    it('become those of the issue that names them, and stay when the unused ones are gone', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const first = await uploaded(stores, userId, 'first');
      const second = await uploaded(stores, userId, 'second');
      const unused = await uploaded(stores, userId, 'unused');
      const issueId = await createdWith(stores, userId, [second, first, second]);
      expect((await stores.attachments.ofIssue(issueId)).map(({ id }) => id)).toEqual([first, second]);
      stores.clock.advance(UNUSED_MS);
      expect(await stores.attachments.find(unused)).toBeNull();
      expect(await stores.attachments.find(first)).toMatchObject({ issueId });
      expect(await stores.attachments.bytesOf(userId)).toBe('firstsecondunused'.length);
      stores.clock.advance(1);
      await stores.maintenance.clearExpired({ before: stores.clock.now(), limit: 100 });
      expect(await stores.attachments.content(unused)).toBeNull();
      expect(await stores.attachments.bytesOf(userId)).toBe('firstsecond'.length);
    });

    it('are deleted a day after their upload, piece after piece, unless an issue has used them', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const large = 'x'.repeat(200_000); // a piece of its own
      const old = await Promise.all(['first', large, 'third'].map((content) => uploaded(stores, userId, content)));
      const used = await uploaded(stores, userId, 'used');
      await createdWith(stores, userId, [used]);
      stores.clock.advance(1);
      const younger = await uploaded(stores, userId, 'younger');
      const clear = async () => {
        const calls: boolean[] = [];
        do calls.push(await stores.maintenance.clearExpired({ before: stores.clock.now(), limit: 1 }));
        while (calls.at(-1) === true);
        return calls.length;
      };
      const contents = (ids: readonly AttachmentId[]) =>
        Promise.all(ids.map(async (id) => (await stores.attachments.content(id)) !== null));

      stores.clock.advance(UNUSED_MS - 1);
      expect(await clear()).toBe(1);
      expect(await contents([...old, used, younger])).toEqual([true, true, true, true, true]);
      stores.clock.advance(1);
      expect(await clear()).toBe(old.length + 1);
      expect(await contents([...old, used, younger])).toEqual([false, false, false, true, true]);
      expect(await stores.attachments.find(younger)).toBeNull(); // its time has come, and its turn comes next
      stores.clock.advance(1);
      await clear();
      expect(await contents([used, younger])).toEqual([true, false]);
      expect(await stores.attachments.find(used)).toMatchObject({ bytes: 'used'.length });
    });

    it.each(['of another user', 'expired', 'of another issue', 'unknown'] as const)(
      'that are %s make the whole write fail',
      async (kind) => {
        await using stores = await open();
        const { id: userId } = await registeredUser(stores);
        const own = kind === 'expired' ? null : await uploaded(stores, userId);
        const other = await (async () => {
          if (kind === 'unknown') return newId() as AttachmentId;
          if (kind === 'of another user') return uploaded(stores, (await registeredUser(stores)).id);
          const id = await uploaded(stores, userId);
          if (kind === 'of another issue') await createdWith(stores, userId, [id]);
          else stores.clock.advance(UNUSED_MS);
          return id;
        })();
        const mine = own ?? (await uploaded(stores, userId));
        const repo = await registeredRepo(stores, { userId });
        const issue = newIssueOn(repo, { attachments: [mine, other] });
        await expect(stores.issues.create(issue, { queue: false })).rejects.toMatchObject({
          code: 'attachment_unusable',
        });
        expect(await stores.issues.get(issue.id)).toBeNull();
        expect(await stores.attachments.find(mine)).toMatchObject({ issueId: null });
      },
    );

    it('go to one of two issues that name them at the same time', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const id = await uploaded(stores, userId);
      const repo = await registeredRepo(stores, { userId });
      const outcomes = await atOnce(4, async () => {
        const issue = newIssueOn(repo, { attachments: [id] });
        return await stores.issues.create(issue, { queue: false }).then(
          () => ({ kind: 'created' }),
          (error: { code: string }) => ({ kind: error.code }),
        );
      });
      expect(tally(outcomes)).toEqual({ created: 1, attachment_unusable: 3 });
    });

    it('come with a note and with guidance, whose events name them', async () => {
      await using stores = await open();
      const { id, userId } = await runningIssue(stores);
      const noted = await uploaded(stores, userId);
      await stores.issues.addNote(id, 'Look at this.', { attach: { by: userId, ids: [noted] } });
      expect((await eventsOf(stores, id)).at(-1)).toMatchObject({
        type: 'user.message',
        data: { text: 'Look at this.', attachments: [noted] },
      });
      expect((await stores.attachments.ofIssue(id)).map((one) => one.id)).toEqual([noted]);

      const issue = await broughtToGate(stores, (await runningIssue(stores)).id);
      const guiding = await uploaded(stores, issue.userId);
      await stores.issues.apply({
        issueId: issue.id,
        from: { status: 'awaiting_approval' },
        trigger: 'guidance_given',
        attach: { by: issue.userId, ids: [guiding] },
        set: { gate: null, stage: 'plan' },
        events: [],
      });
      expect((await stores.attachments.ofIssue(issue.id)).map((one) => one.id)).toEqual([guiding]);
    });

    it('are at most so many of an issue, and so many unused ones of a user, also in requests at the same moment', async () => {
      await using stores = await open();
      const { id, userId } = await runningIssue(stores);
      const outcomes = await atOnce(MAX_UNUSED_ATTACHMENTS + 3, () =>
        stores.attachments.put(aNewAttachment({ userId })),
      );
      expect(tally(outcomes)).toEqual({ stored: MAX_UNUSED_ATTACHMENTS, full: 3 });
      const ids = outcomes.flatMap((one) => (one.kind === 'stored' ? [one.attachment.id] : []));
      expect(ids).toHaveLength(MAX_ISSUE_ATTACHMENTS);
      await stores.issues.addNote(id, 'All of them.', { attach: { by: userId, ids } });
      const more = await uploaded(stores, userId);
      await expect(
        stores.issues.addNote(id, 'One more.', { attach: { by: userId, ids: [more] } }),
      ).rejects.toMatchObject({ code: 'issue_attachments_full' });
      expect(await stores.attachments.ofIssue(id)).toHaveLength(MAX_ISSUE_ATTACHMENTS);
      expect(await stores.attachments.find(more)).toMatchObject({ issueId: null });
    });

    it('go with their issue, and with its history once it has ended long ago', async () => {
      await using stores = await open();
      const { id, userId } = await runningIssue(stores);
      const kept = await uploaded(stores, userId);
      await stores.issues.addNote(id, 'Look.', { attach: { by: userId, ids: [kept] } });
      await cancelled(stores, id);
      stores.clock.advance(1_000);
      const endedBefore = stores.clock.now();
      const walked = await stores.maintenance.withOldHistory({ endedBefore, after: null, limit: 10 });
      expect(walked.issueIds).toEqual([id]);
      while ((await stores.maintenance.forgetHistory(id, { endedBefore, limit: 10 })) > 0);
      expect(await stores.attachments.ofIssue(id)).toEqual([]);

      const removedId = await createdWith(stores, userId, [await uploaded(stores, userId)]);
      await cancelled(stores, removedId);
      expect(await stores.issues.remove(removedId)).toBe('removed');
      expect(await stores.attachments.bytesOf(userId)).toBe(0);
    });

    it('are refused from a disabled user', async () => {
      await using stores = await open();
      expect(await stores.attachments.put(aNewAttachment({ userId: newId() as UserId }))).toEqual({
        kind: 'disabled',
      });
    });
  });
}
