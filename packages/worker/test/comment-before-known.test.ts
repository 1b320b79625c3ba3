import { callerOf } from '@sluice/core/access';
import { systemTimers } from '@sluice/core/async';
import type { CodeHost } from '@sluice/core/code-host';
import { repoSettingsSchema } from '@sluice/core/repo';
import { newId, noPictures, until } from '@sluice/testing';
import { expect, it } from 'vitest';
import { syncSubject } from '../src/sync/sync-subject.ts';
import { aChangeRequest, aHostedComment, rememberedHost } from './remembered-host.ts';
import { openWorld } from './world.ts';

const REPO = '42';
const NUMBER = 12;

it('follows up a comment that arrived before the pull request was recorded', async () => {
  await using world = await openWorld();
  const remembered = rememberedHost();
  const { tokens } = remembered;
  const outcomes: unknown[] = [];
  const codehost: CodeHost = {
    ...remembered.host,
    findChangeRequest: async () => null,
    openChangeRequest: async (call, _repo, draft) => {
      const change = aChangeRequest(NUMBER, { state: 'draft', headBranch: draft.headBranch });
      remembered.changes.set(NUMBER, change);
      remembered.comments.set(NUMBER, [aHostedComment('issue-1')]);
      // The host has delivered both already, and its response is still on the way.
      const clock = { now: () => new Date() };
      const noTokens = { encrypt: () => ({ encrypted: '', nonce: '' }), decrypt: () => '' };
      const unmoved = {
        standings: { of: async () => null },
        pictures: noPictures,
        cipher: noTokens,
        publicUrl: new URL('https://sluice.test'),
      };
      const deps = { ...world, ...unmoved, clock, timers: systemTimers, ids: { next: () => newId() }, log: console };
      const subject = { codehostRepoId: REPO, kind: 'change_request', number: NUMBER } as const;
      const rounds = { buildRounds: 2, followUpRounds: 5 };
      const work = { deps, host: codehost, tokens, ...rounds, confirmClaim: async () => undefined };
      outcomes.push(await syncSubject(work, subject, call.signal));
      return change;
    },
  };
  await world.startWorker({ deps: { codehost, codehostTokens: tokens } });
  const { id, userId, repoId } = await world.newIssue({
    provider: 'codehost',
    codehostRepoId: REPO,
    url: 'https://host.test/acme/sum.git',
    settings: repoSettingsSchema.parse({}),
  });
  await world.untilStatus(id, 'awaiting_approval');
  await world.decide(id, { action: 'approve' });
  const first = await world.untilStatus(id, 'completed');
  expect(outcomes).toEqual([{ kind: 'done' }]);
  expect(first.changeRequest).toEqual({ number: NUMBER, state: 'draft' });

  const followUps = async () => {
    const { items } = await world.issues.list({ readableBy: callerOf(userId), repoId, limit: 10, cursor: null });
    return items.filter(({ origin }) => origin === 'follow_up');
  };
  await until('there is a follow-up', async () => (await followUps()).length === 1);
  expect((await followUps())[0]).toMatchObject({ parentIssueId: id, baseBranch: first.result?.branch });
});
