import { callerOf } from '@sluice/core/access';
import { isTerminal, statusesWhere } from '@sluice/core/issue';
import type { NewMember } from '@sluice/core/member';
import {
  aNewAttachment,
  aNewIssue,
  aNewRepo,
  aNewUser,
  anAccount,
  anEncryptedGrant,
  aPlan,
  newId,
} from '@sluice/testing';
import type { Arrange, CallsOf } from './calls-of.ts';
import type { World } from './world.ts';

const message = { type: 'user.message', data: { text: 'Look at sum, too.' } } as const;
const firstPage = { limit: 20, cursor: null };

/** A list of the user's issues, from its newest and from its second page. */
function listed(
  query: Omit<Parameters<World['stores']['issues']['list']>[0], 'readableBy' | 'cursor' | 'limit'>,
): Arrange {
  return async ({ stores, userId }) =>
    () =>
      stores.issues.list({ readableBy: callerOf(userId), ...firstPage, ...query });
}

async function aNewMember({ stores, registered }: World): Promise<NewMember> {
  const user = aNewUser();
  await stores.users.create(user);
  return { repoId: (await registered()).id, userId: user.id, role: 'approver', origin: 'added' };
}

/** Somebody who has uploaded nothing yet. */
async function uploader({ users }: World['stores']) {
  const user = aNewUser();
  await users.create(user);
  return user.id;
}

/** An unused attachment. */
async function attached(stores: World['stores']) {
  const attachment = aNewAttachment({ userId: await uploader(stores) });
  await stores.attachments.put(attachment);
  return attachment;
}

async function toAttach(stores: World['stores']) {
  const { id, userId: by } = await attached(stores);
  return { by, ids: [id] };
}

const active = statusesWhere((status) => !isTerminal(status));

export const issueCalls: CallsOf<
  'issues' | 'attachments' | 'eventLog' | 'members' | 'repos' | 'queueStats' | 'maintenance'
> = {
  attachments: {
    put: async ({ stores }) => {
      const attachment = aNewAttachment({ userId: await uploader(stores) });
      return () => stores.attachments.put(attachment);
    },
    find: async ({ stores }) => {
      const { id } = await attached(stores);
      return () => stores.attachments.find(id);
    },
    ofIssue: async ({ stores, claimed }) => {
      const { issue } = await claimed();
      await stores.issues.addNote(issue.id, 'Look.', { attach: await toAttach(stores) });
      return () => stores.attachments.ofIssue(issue.id);
    },
    content: async ({ stores }) => {
      const { id } = await attached(stores);
      return () => stores.attachments.content(id);
    },
    bytesOf: async ({ stores, userId }) => {
      return () => stores.attachments.bytesOf(userId);
    },
  },
  issues: {
    create: {
      'and start': async ({ stores, userId, registered, willMake }) => {
        const issue = aNewIssue({ userId, repoId: (await registered()).id });
        willMake(issue.id);
        return () => stores.issues.create(issue, { queue: true });
      },
      'and wait': async ({ stores, claimed, willMake }) => {
        const { userId, repoId } = (await claimed()).issue;
        const issue = aNewIssue({ userId, repoId });
        willMake(issue.id);
        return () => stores.issues.create(issue, { queue: true, orWait: true });
      },
      'and leave': async ({ stores, userId, repoId }) => {
        const issue = aNewIssue({ userId, repoId });
        return () => stores.issues.create(issue, { queue: false });
      },
    },
    queueWaiting: async ({ stores, claimed, willMake }) => {
      const { userId, repoId } = (await claimed()).issue;
      const issue = aNewIssue({ userId, repoId });
      willMake(issue.id);
      await stores.issues.create(issue, { queue: true, orWait: true });
      return () => stores.issues.queueWaiting();
    },
    apply: {
      'an end that another issue waits for': async ({ stores, claimed, willMake }) => {
        const { issue } = await claimed();
        const waiting = aNewIssue({ userId: issue.userId, repoId: issue.repoId });
        willMake(waiting.id);
        await stores.issues.create(waiting, { queue: true, orWait: true });
        const change = { issueId: issue.id, from: { status: issue.status }, trigger: 'cancelled', events: [] } as const;
        return () => stores.issues.apply(change);
      },
      'a cancel': async ({ stores, claimed }) => {
        const { issue } = await claimed();
        const change = { issueId: issue.id, from: { status: issue.status }, trigger: 'cancelled', events: [] } as const;
        return () => stores.issues.apply(change);
      },
      'the end of a stage': async ({ stores, claimed }) => {
        const { issue, lease } = await claimed();
        const ended = { stage: 'prepare', round: 1, attempt: 1, outcome: 'completed', detail: null } as const;
        const usage = { input_tokens: 1, output_tokens: 1, cost_usd: 1 };
        await stores.runs.beginAttempt(lease, { stage: 'prepare', round: 1, agent: 'preparer' });
        return () =>
          stores.issues.apply({
            issueId: issue.id,
            from: { status: 'running' },
            trigger: 'stage_advanced',
            lease,
            set: { stage: 'index', pipeline: issue.pipeline },
            ended: { ...ended, usage },
            begin: { stage: 'index', round: 1, agent: 'indexer' },
            events: [message],
          });
      },
      'a plan': async ({ stores, claimed }) => {
        const { issue, lease } = await claimed();
        return () =>
          stores.issues.apply({
            issueId: issue.id,
            from: { status: 'running' },
            trigger: 'plan_completed',
            lease,
            plan: aPlan({ revision: 1 }),
            events: [],
          });
      },
      'a queueing': async ({ stores, created }) => {
        const { id } = await created({ queue: false });
        const from = { status: 'pending', queued: false } as const;
        return () => stores.issues.apply({ issueId: id, from, trigger: 'queued', events: [] });
      },
    },
    get: async ({ stores, endedId }) => {
      return () => stores.issues.get(endedId);
    },
    edit: async ({ stores, created }) => {
      const { id } = await created({ queue: false });
      return () => stores.issues.edit(id, { title: 'New', body: 'Text', warnings: [] });
    },
    addNote: {
      alone: async ({ stores, claimed }) => {
        const { issue } = await claimed();
        return () => stores.issues.addNote(issue.id, 'Look at sum, too.');
      },
      'with an attachment': async ({ stores, claimed }) => {
        const { issue } = await claimed();
        const attach = await toAttach(stores);
        return () => stores.issues.addNote(issue.id, 'Look at sum, too.', { attach });
      },
    },
    list: {
      'of everything': listed({}),
      'by a status that few have': listed({ statuses: ['awaiting_approval'] }),
      'by the statuses of active issues': listed({ statuses: active }),
      'by a status that most have': listed({ statuses: ['completed'] }),
      'by a text that none has': listed({ q: 'zzznothing' }),
      'by status and a text that none has': listed({ statuses: ['completed'], q: 'zzznothing' }),
      'oldest first': listed({ oldestFirst: true }),
      'oldest first, by the statuses of active issues': listed({ statuses: active, oldestFirst: true }),
      'by a label that none has': listed({ label: 'zzznothing' }),
      'by an origin that none has': listed({ origin: 'codehost' }),
      'of a time before all': listed({ createdBefore: new Date(1) }),
      'of a time after all, by a status that most have': listed({
        createdFrom: new Date(8.64e15),
        statuses: ['completed'],
        oldestFirst: true,
      }),
      'of a repository': async ({ stores, userId, repoId }) => {
        return () => stores.issues.list({ readableBy: callerOf(userId), repoId, ...firstPage });
      },
      'of a repository by a status that few have': async ({ stores, userId, repoId }) => {
        return () =>
          stores.issues.list({ readableBy: callerOf(userId), repoId, statuses: ['awaiting_approval'], ...firstPage });
      },
      'of a later page': async ({ stores, userId, created }) => {
        await created({ queue: false });
        await created({ queue: false });
        const { nextCursor } = await stores.issues.list({ readableBy: callerOf(userId), limit: 1, cursor: null });
        return () => stores.issues.list({ readableBy: callerOf(userId), limit: 20, cursor: nextCursor });
      },
    },
    count: {
      'of everything':
        async ({ stores, userId }) =>
        () =>
          stores.issues.count({ readableBy: callerOf(userId) }),
      'of a repository by several statuses':
        async ({ stores, userId, repoId }) =>
        () =>
          stores.issues.count({ readableBy: callerOf(userId), repoId, statuses: active }),
    },
    inbox: {
      'of everything':
        async ({ stores, userId }) =>
        () =>
          stores.issues.inbox({ caller: callerOf(userId) }),
      'of a repository, with a title that none has':
        async ({ stores, userId, repoId }) =>
        () =>
          stores.issues.inbox({ caller: callerOf(userId), repoId, q: 'zzznothing' }),
    },
    remove: async ({ stores, created }) => {
      const { id } = await created({ queue: false });
      await stores.issues.apply({ issueId: id, from: { status: 'pending' }, trigger: 'cancelled', events: [] });
      return () => stores.issues.remove(id);
    },
    plans: async ({ stores, endedId }) => {
      return () => stores.issues.plans(endedId);
    },
    estimate: async ({ stores, endedId }) => {
      return () => stores.issues.estimate(endedId, 1);
    },
    events: async ({ stores, endedId }) => {
      return () => stores.issues.events(endedId, { after: 0, limit: 100 });
    },
  },
  eventLog: {
    epoch: async ({ stores }) => {
      return () => stores.eventLog.epoch();
    },
    beginEpoch: async ({ stores }) => {
      return () => stores.eventLog.beginEpoch();
    },
    lastOrdinal: async ({ stores }) => {
      return () => stores.eventLog.lastOrdinal();
    },
    settledUpTo: async ({ stores }) => {
      return () => stores.eventLog.settledUpTo();
    },
    changed: {
      'from the first': async ({ stores, userId }) => {
        const upTo = await stores.eventLog.settledUpTo();
        return () => stores.eventLog.changed(callerOf(userId), { after: 0, upTo, limit: 100 });
      },
      'from the first, of somebody without events': async ({ stores }) => {
        const upTo = await stores.eventLog.settledUpTo();
        return () => stores.eventLog.changed(callerOf(newId()), { after: 0, upTo, limit: 100 });
      },
      'above what is settled': async ({ stores, userId }) => {
        const after = await stores.eventLog.settledUpTo();
        return () => stores.eventLog.changed(callerOf(userId), { after, upTo: null, limit: null });
      },
    },
  },
  members: {
    role: async ({ stores, repoId, userId }) => {
      return () => stores.members.role(repoId, userId);
    },
    rolesOf: async ({ stores, userId }) => {
      return () => stores.members.rolesOf(callerOf(userId));
    },
    approversAmong: async ({ stores, repoId, userId }) => {
      return () => stores.members.approversAmong(repoId, [userId]);
    },
    list: async ({ stores, repoId }) => {
      return () => stores.members.list(repoId);
    },
    put: async (world) => {
      const member = await aNewMember(world);
      return () => world.stores.members.put(member);
    },
    remove: async (world) => {
      const member = await aNewMember(world);
      await world.stores.members.put(member);
      return () => world.stores.members.remove(member.repoId, member.userId);
    },
    mirror: async ({ stores, registered }) => {
      const user = aNewUser();
      await stores.users.create(user);
      const account = anAccount();
      await stores.codehostLinks.link(user.id, account, anEncryptedGrant());
      const { id: repoId } = await registered();
      return () => stores.members.mirror({ repoId, roles: new Map([[account.id, 'viewer']]) });
    },
  },
  repos: {
    create: async ({ stores, userId }) => {
      const repo = aNewRepo({ userId });
      return () => stores.repos.create(repo);
    },
    get: async ({ stores, repoId }) => {
      return () => stores.repos.get(repoId);
    },
    approvalRules: async ({ stores, repoId }) => {
      return () => stores.repos.approvalRules(repoId);
    },
    list: async ({ stores, userId }) => {
      return () => stores.repos.list(callerOf(userId), firstPage);
    },
    listAll: async ({ stores }) => {
      return () => stores.repos.listAll(firstPage);
    },
    update: async ({ stores, registered }) => {
      const { id } = await registered();
      return () => stores.repos.update(id, { name: 'x' });
    },
    relocate: async ({ stores, registered }) => {
      const { id } = await registered({ provider: 'codehost', codehostRepoId: newId() });
      return () => stores.repos.relocate(id, { host: 'https://example.test', name: `acme/${newId()}` });
    },
    remove: async ({ stores, registered }) => {
      const { id } = await registered();
      return () => stores.repos.remove(id);
    },
  },
  queueStats: {
    load: async ({ stores }) => {
      return () => stores.queueStats.load();
    },
    overview: async ({ stores, claimed }) => {
      await claimed();
      return () => stores.queueStats.overview();
    },
  },
  maintenance: {
    clearExpired: {
      'with nothing expired': async ({ stores }) => {
        return () => stores.maintenance.clearExpired({ before: new Date(1), limit: 200 });
      },
      'with a full piece': async ({ stores, clock }) => {
        return () => stores.maintenance.clearExpired({ before: clock.now(), limit: 200 });
      },
    },
    deleteRemoved: {
      'with nothing removed': async ({ stores }) => {
        return () => stores.maintenance.deleteRemoved();
      },
      'of a long issue': async ({ stores, claimed, endAll }) => {
        const { issue, lease } = await claimed();
        const events = Array.from({ length: 5_000 }, () => message);
        await stores.runs.record(lease, events);
        await endAll();
        await stores.repos.remove(issue.repoId);
        return () => stores.maintenance.deleteRemoved();
      },
    },
    optimize: async ({ stores }) => {
      return () => stores.maintenance.optimize();
    },
    releaseSpace: async ({ stores }) => {
      return () => stores.maintenance.releaseSpace();
    },
    withOldHistory: {
      'with nothing old': async ({ stores }) => {
        return () => stores.maintenance.withOldHistory({ endedBefore: new Date(1), after: null, limit: 200 });
      },
      'with a full page': async ({ stores, clock }) => {
        const endedBefore = clock.now();
        return () => stores.maintenance.withOldHistory({ endedBefore, after: null, limit: 200 });
      },
    },
    forgetHistory: async ({ stores, clock, endedId }) => {
      clock.advance(1_000);
      const endedBefore = clock.now();
      return () => stores.maintenance.forgetHistory(endedId, { endedBefore, limit: 500 });
    },
  },
};
