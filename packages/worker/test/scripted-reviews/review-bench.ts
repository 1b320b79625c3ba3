import { createCodeHost } from '@sluice/code-host';
import type { Issue, IssueTrigger } from '@sluice/core/issue';
import { type RemarkAnswer, remarksOf } from '@sluice/core/pipeline';
import { scratchOrigin, startCodeHost } from '@sluice/fake-code-host';
import { localHosts } from '@sluice/testing';
import { syncSubject } from '../../src/sync/sync-subject.ts';
import { type CodeHostWorld, openCodeHostWorld } from '../code-host-world.ts';
import { aChangeRequest } from '../remembered-host.ts';
import type { ScriptedReview } from './scripted-reviews.ts';

const REPO = 'ada/engine';
const HEAD = 'd'.repeat(40);
/** The writes of the sync. A death at a read is one before the write that follows it. */
const WRITES = {
  host: ['putComment', 'replyToComment', 'resolveThread'],
  index: ['noteAnsweredRemark', 'noteWaitingReview', 'setChangeRequestState'],
  issues: ['create', 'apply'],
} as const;

/** Thrown where a process dies. */
class Killed extends Error {}

/** The sync over real stores, the adapter of the code host, and its double. */
export async function openReviewBench() {
  using origin = scratchOrigin();
  const clock = { now: () => new Date() };
  const there = await startCodeHost({ clock });
  for (const login of ['ada', 'ben', 'stranger']) there.addUser({ login });
  for (const login of ['lint[bot]', 'other[bot]']) there.addUser({ login, kind: 'Bot' });
  const made = await there.addRepo({ fullName: REPO, from: origin.path });
  there.setPermission(REPO, { login: 'ben', permission: 'write' });
  const world = await openCodeHostWorld();
  const host = createCodeHost({
    webUrl: new URL(there.url),
    apiUrl: new URL(there.apiUrl),
    clock,
    hosts: localHosts,
    userAgent: 'sluice-test',
    pace: { writeGapMs: 0, noticeGapMs: 0, searchGapMs: 0, retryAfterMs: 1, longestWaitMs: 5_000, secondMs: 1 },
  });
  const token = there.issueToken('ada');
  /** Steps until the process dies; null: it lives. */
  let stepsLeft: number | null = null;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    // Before a step is after the one before it.
    if (stepsLeft === 0) throw new Killed();
    if (stepsLeft !== null) stepsLeft -= 1;
    return await work();
  };
  Object.assign(world.work, {
    host: stepped(host, WRITES.host, step),
    tokens: {
      of: async () => token,
      callAsUser: (_: unknown, signal: AbortSignal, work: (call: object) => unknown) => work({ token, signal }),
    },
    followUpRounds: 1_000,
  });
  const { codehostIndex, issues } = world.work.deps;
  Object.assign(world.work.deps, {
    codehostIndex: stepped(codehostIndex, WRITES.index, step),
    issues: stepped(issues, WRITES.issues, step),
  });
  const codehostRepoId = String(made.id);
  const url = `${there.url}/${REPO}.git`;
  const repo = await world.register(
    { review_bots: ['lint'] },
    { codehostRepoId, url, canonicalRemote: url.replace(/\.git$/, '') },
  );
  let branches = 0;

  return {
    there,
    world,
    repo,
    name: REPO,
    /** A pull request that an issue was published to. */
    async publish(): Promise<{ first: Issue; number: number }> {
      branches += 1;
      const branch = `sluice/${branches}`;
      await there.push(REPO, { by: 'ada', branch, files: { [`${branches}.txt`]: 'a' } });
      const number = await there.openPull(REPO, { title: 'A', head: branch, base: 'main', by: 'ada' });
      const first = await world.publish(repo, 'open', aChangeRequest(number));
      return { first, number };
    },
    /** Submits a review, and returns the ids of its comments by their names. */
    submit(number: number, review: ScriptedReview, ids: Map<string, number>): number {
      const lines = review.lines.map(({ line, hunk, body, replyTo }) => {
        const to = replyTo === null ? undefined : ids.get(replyTo);
        return { path: 'a.txt', line, hunk, body, ...(to !== undefined && { replyTo: to }) };
      });
      const before = new Set(there.lineComments(REPO, number).map(({ id }) => id));
      const { state, body, author: by } = review;
      const id = there.review({ repo: REPO, number, by }, { state, body, lines });
      const added = there.lineComments(REPO, number).filter((one) => !before.has(one.id));
      review.lines.forEach(({ name }, at) => void ids.set(name, added[at]?.id ?? 0));
      return id;
    },
    /** Syncs once. @returns whether it came to its end before the process died */
    async sync(number: number, dieAfter: number | null = null): Promise<boolean> {
      stepsLeft = dieAfter;
      try {
        const outcome = await syncOf(world, codehostRepoId, number);
        if (outcome.kind !== 'failed') return true;
        if (stepsLeft === 0) return false;
        throw outcome.error;
      } finally {
        stepsLeft = null;
      }
    },
    async followUpsOf(first: Issue): Promise<Issue[]> {
      return [...(await world.codehostIndex.followUpsOf(first.id))];
    },
    /** Ends a follow-up as a worker or a person would. */
    async end(
      issue: Issue,
      how: ScriptedReview['end'],
      { answers, number }: { readonly answers: readonly RemarkAnswer[]; readonly number: number },
    ): Promise<void> {
      const apply = async (trigger: IssueTrigger, set: object = {}) => {
        const { status, pipeline } = await world.get(issue.id);
        const known = { ...pipeline, remark_answers: answers };
        const outcome = await world.issues.apply({
          issueId: issue.id,
          from: { status },
          ...({ trigger } as { trigger: 'cancelled' }),
          set: { pipeline: known, ...set },
          events: [],
        });
        if (outcome.kind !== 'applied') throw new Error(`${trigger} was not applied: ${outcome.kind}`);
      };
      const error = { stage: 'test', detail: 'The tests fail.' } as const;
      if (how === 'cancelled') return await apply('cancelled');
      if (how === 'failed' || how === 'retried') await apply('gave_up', { error });
      if (how === 'failed') return;
      if (how === 'retried') {
        await this.sync(number);
        await apply('retried', { error: null });
      }
      const branch = how === 'answered' ? null : 'sluice/1';
      const changeRequest = how === 'answered' ? {} : { changeRequest: { number, state: 'open' } };
      await apply('published', { ...changeRequest, result: { ...RESULT, branch } });
    },
    remarksOf: ({ pipeline }: Issue) => remarksOf(pipeline.follow_up),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await there[Symbol.asyncDispose]();
    },
  };
}

const RESULT = {
  ...{ base_commit: 'b'.repeat(40), head_commit: HEAD, change_request_url: null, summary: '', files_changed: 1 },
  ...{ additions: 1, deletions: 0, tests: null, findings: [], answer: null },
};

/** The same object, whose named functions count as steps. */
function stepped<T extends object>(
  of: T,
  names: readonly (keyof T)[],
  step: <R>(work: () => Promise<R>) => Promise<R>,
): T {
  const functions = names.map((name) => {
    const original = of[name] as (...given: unknown[]) => Promise<unknown>;
    return [name, (...given: unknown[]) => step(() => original(...given))] as const;
  });
  return { ...of, ...(Object.fromEntries(functions) as Partial<T>) };
}

function syncOf({ work }: CodeHostWorld, codehostRepoId: string, number: number) {
  const signal = new AbortController().signal;
  return syncSubject(work, { codehostRepoId, kind: 'change_request', number }, signal);
}
