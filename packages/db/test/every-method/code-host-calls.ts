import { callerOf } from '@sluice/core/access';
import type { NewAuditEntry } from '@sluice/core/audit';
import type { UserId } from '@sluice/core/id';
import type { ChangeRequestKey, OutcomeQuery } from '@sluice/core/outcome';
import { repoSettingsSchema } from '@sluice/core/repo';
import { aNewUser, anAccount, anAnsweredRemark, anEncryptedGrant, aSubject, importOf, newId } from '@sluice/testing';
import type { CallsOf } from './calls-of.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const grant = anEncryptedGrant();

const ways = { passwords: true, codehost: true, issuers: [] };

/** A new user with an account at the code host. */
async function linkedUser({ stores }: World): Promise<UserId> {
  const user = aNewUser();
  await stores.users.create(user);
  await stores.codehostLinks.link(user.id, anAccount(), grant);
  return user.id;
}

const mirroring = repoSettingsSchema.parse({ mirror_members: true });

/** An imported issue with a pull request. */
async function imported({ stores, registered }: World) {
  const repo = await registered();
  const issue = importOf(repo, 7);
  await stores.issues.create(issue, { queue: false });
  return { repo, issue };
}

/** The period in which a pull request was opened. */
async function periodOf(world: World): Promise<OutcomeQuery> {
  const { repoId } = await publishedTo(world);
  const from = new Date(0);
  return { caller: callerOf(world.userId), repoId, from, to: new Date(8_640_000_000_000) };
}

/** A pull request that an issue was published to. */
async function publishedTo({ stores, claimed }: World): Promise<ChangeRequestKey> {
  const { issue, lease } = await claimed();
  await stores.issues.apply({
    issueId: issue.id,
    from: { status: 'running' },
    trigger: 'published',
    lease,
    set: { changeRequest: { number: 9, state: 'open' } },
    events: [],
  });
  return { repoId: issue.repoId, number: 9 };
}

/** A subject that a worker holds. */
async function held({ stores }: World) {
  await stores.codehostInbox.mark([aSubject()]);
  const [subject] = await stores.codehostInbox.claim('worker-1', { limit: 1, ttlMs: MINUTE_MS });
  if (subject === undefined) throw new Error('no subject could be claimed');
  return subject;
}

const forgotten = (userId: UserId): NewAuditEntry => ({
  userId,
  actor: { kind: 'operator' },
  act: { action: 'account.unlinked', subjectId: null, detail: {} },
});

export const codeHostCalls: CallsOf<
  'codehostLinks' | 'codehostIndex' | 'codehostInbox' | 'codehostSite' | 'encryptedSecrets' | 'outcomes'
> = {
  codehostLinks: {
    signIn: {
      'of a new user': async ({ stores }) => {
        const account = anAccount();
        const user = { id: newId<UserId>(), onlyIfFirst: false };
        return () => stores.codehostLinks.signIn(account, () => grant, user);
      },
      'of a known user': async ({ stores }) => {
        const account = anAccount();
        await stores.codehostLinks.signIn(account, () => grant, { id: newId(), onlyIfFirst: false });
        return () => stores.codehostLinks.signIn(account, () => grant, null);
      },
      'of the first user': async ({ stores }) => {
        const user = { id: newId<UserId>(), onlyIfFirst: true };
        return () => stores.codehostLinks.signIn(anAccount(), () => grant, user);
      },
    },
    link: async ({ stores }) => {
      const user = aNewUser();
      await stores.users.create(user);
      return () => stores.codehostLinks.link(user.id, anAccount(), grant);
    },
    unlink: async (world) => {
      const userId = await linkedUser(world);
      return () => world.stores.codehostLinks.unlink(userId, ways);
    },
    grant: async (world) => {
      const userId = await linkedUser(world);
      return () => world.stores.codehostLinks.grant(userId);
    },
    replaceGrant: async (world) => {
      const userId = await linkedUser(world);
      return () => world.stores.codehostLinks.replaceGrant(userId, 1, grant);
    },
    refuseGrant: async (world) => {
      const userId = await linkedUser(world);
      return () => world.stores.codehostLinks.refuseGrant(userId, 1);
    },
  },
  codehostIndex: {
    registrations: async ({ stores }) => {
      return () => stores.codehostIndex.registrations('41');
    },
    registered: async ({ stores, userId }) => {
      return () => stores.codehostIndex.registered(userId, ['41', '42']);
    },
    imported: async ({ stores, repoId }) => {
      return () => stores.codehostIndex.imported(repoId, [7, 8]);
    },
    byChangeRequest: async ({ stores, repoId }) => {
      return () => stores.codehostIndex.byChangeRequest(repoId, 9);
    },
    followUpOf: async ({ stores, repoId }) => {
      return () => stores.codehostIndex.followUpOf(repoId, '1');
    },
    followUpsOf: async (world) => {
      const { issue } = await imported(world);
      return () => world.stores.codehostIndex.followUpsOf(issue.id);
    },
    openChanges: async ({ stores, repoId }) => {
      return () => stores.codehostIndex.openChanges(repoId);
    },
    noteBaseMoved: async (world) => {
      const { issue } = await imported(world);
      const moved = { base_branch: 'main', base_commit: 'b2', conflicts: [], files: ['a.ts'] };
      return () => world.stores.codehostIndex.noteBaseMoved(issue.id, moved);
    },
    answeredRemarks: async ({ stores, endedId }) => {
      return () => stores.codehostIndex.answeredRemarks(endedId);
    },
    noteAnsweredRemark: async (world) => {
      const { issue } = await imported(world);
      return () => world.stores.codehostIndex.noteAnsweredRemark(issue.id, anAnsweredRemark());
    },
    waitingReviews: async ({ stores, endedId }) => {
      return () => stores.codehostIndex.waitingReviews(endedId);
    },
    noteWaitingReview: async (world) => {
      const { issue } = await imported(world);
      const waiting = { number: 9, review: 'review-5', by_bot: false, rounds: 5, url: 'https://host.test/9' };
      return () => world.stores.codehostIndex.noteWaitingReview(issue.id, waiting);
    },
    wasRemoved: async ({ stores, repoId }) => {
      return () => stores.codehostIndex.wasRemoved(repoId, { number: 7 });
    },
    setChangeRequestState: async (world) => {
      const { issue } = await imported(world);
      return () => world.stores.codehostIndex.setChangeRequestState(issue.id, 'merged');
    },
    noteChangeRequest: async (world) => {
      const { issue } = await imported(world);
      const changeRequest = { number: 9, url: 'https://host.test/9', state: 'open' } as const;
      return () => world.stores.codehostIndex.noteChangeRequest(issue.id, changeRequest);
    },
  },
  codehostInbox: {
    deliver: async ({ stores }) => {
      return () => stores.codehostInbox.deliver(newId(), aSubject());
    },
    mark: async ({ stores }) => {
      return () => stores.codehostInbox.mark([aSubject()]);
    },
    markMembers: async ({ stores, registered }) => {
      await registered({ provider: 'codehost', codehostRepoId: newId(), settings: mirroring });
      return () => stores.codehostInbox.markMembers(MINUTE_MS);
    },
    claim: async ({ stores }) => {
      await stores.codehostInbox.mark([aSubject()]);
      return () => stores.codehostInbox.claim('worker-1', { limit: 10, ttlMs: MINUTE_MS });
    },
    isHeld: async (world) => {
      const subject = await held(world);
      return () => world.stores.codehostInbox.isHeld('worker-1', subject);
    },
    settle: async (world) => {
      const subject = await held(world);
      return () => world.stores.codehostInbox.settle('worker-1', subject);
    },
    defer: async (world) => {
      const subject = await held(world);
      return () => world.stores.codehostInbox.defer('worker-1', subject, { retryInMs: DAY_MS, failed: true });
    },
    expireHolds: async ({ stores }) => {
      return () => stores.codehostInbox.expireHolds();
    },
    forgetDeliveries: async ({ stores }) => {
      return () => stores.codehostInbox.forgetDeliveries(new Date(1));
    },
    claimPolls: async ({ stores }) => {
      return () => stores.codehostInbox.claimPolls('worker-1', { everyMs: MINUTE_MS, limit: 10 });
    },
    savePoll: async ({ stores }) => {
      return () => stores.codehostInbox.savePoll('41', 'c');
    },
  },
  codehostSite: {
    claim: async ({ stores }) => {
      return () => stores.codehostSite.claim('https://host.test');
    },
    kept: async ({ stores }) => {
      return () => stores.codehostSite.kept();
    },
    move: async ({ stores }) => {
      return () => stores.codehostSite.move('https://other.test');
    },
    forget: async ({ stores }) => {
      return () => stores.codehostSite.forget(forgotten);
    },
  },
  outcomes: {
    get: async (world) => {
      const key = await publishedTo(world);
      return () => world.stores.outcomes.get(key);
    },
    ofIssue: async ({ stores, endedId }) => {
      return () => stores.outcomes.ofIssue(endedId);
    },
    note: {
      'without news': async (world) => {
        const key = await publishedTo(world);
        return () => world.stores.outcomes.note(key, { state: 'open' });
      },
      'of a close': async (world) => {
        const key = await publishedTo(world);
        return () => world.stores.outcomes.note(key, { state: 'closed' });
      },
      'of none of ours': async ({ stores, repoId }) => {
        return () => stores.outcomes.note({ repoId, number: 404 }, { state: 'closed' });
      },
    },
    answerClose: async (world) => {
      const { stores, userId } = world;
      const key = await publishedTo(world);
      await stores.outcomes.note(key, { state: 'closed' });
      return () => stores.outcomes.answerClose(key, { reason: 'duplicate', note: null, userId });
    },
    span: {
      'of a repository': async (world) => {
        const query = await periodOf(world);
        return () => world.stores.outcomes.span(query);
      },
      'of all that are readable': async (world) => {
        const query = await periodOf(world);
        return () => world.stores.outcomes.span({ ...query, repoId: null });
      },
    },
    tally: {
      'of a repository': async (world) => {
        const query = await periodOf(world);
        return () => world.stores.outcomes.tally(query, { groupBy: null, isDivisible: true });
      },
      'of all that are readable, by model': async (world) => {
        const query = await periodOf(world);
        return () => world.stores.outcomes.tally({ ...query, repoId: null }, { groupBy: 'model', isDivisible: true });
      },
      'by repository': async (world) => {
        const query = await periodOf(world);
        return () => world.stores.outcomes.tally({ ...query, repoId: null }, { groupBy: 'repo', isDivisible: true });
      },
    },
  },
  encryptedSecrets: {
    encryptedUnderOther: async ({ stores }) => {
      return () => stores.encryptedSecrets.encryptedUnderOther(['new'], 10);
    },
    plain: async ({ stores }) => {
      return () => stores.encryptedSecrets.plain(10);
    },
    reencrypt: async (world) => {
      await linkedUser(world);
      const [secret] = await world.stores.encryptedSecrets.encryptedUnderOther(['new'], 1);
      if (secret === undefined) throw new Error('no secret was found');
      return () => world.stores.encryptedSecrets.reencrypt(secret, grant.encryptedToken);
    },
  },
};
