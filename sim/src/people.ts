import { callerOf, type IssueAct } from '@sluice/core/access';
import type { Initiator } from '@sluice/core/audit';
import { AppError } from '@sluice/core/error';
import { importIssue } from '@sluice/core/hosted-issue';
import type { IssueId, RepoId, UserId } from '@sluice/core/id';
import {
  authorizeIssue,
  cancelIssue,
  type Decision,
  decideGate,
  deleteIssue,
  type Issue,
  isActive,
  isOpenForDecision,
  isPending,
  isTerminal,
  nextStatus,
  retryIssue,
  runIssue,
  sendNote,
  takesNotes,
} from '@sluice/core/issue';
import { deleteRepo, type Repo } from '@sluice/core/repo';
import { createOnce } from './create-once.ts';
import { noPictures } from './unasked-calls.ts';
import type { World } from './world.ts';

/** People and programs that use the service, at the worst moment. */
export interface People {
  /** Does something to somebody. */
  act(): void;
  /** Decides what waits for a decision, so that a run can end. */
  approve(): void;
  /** Whether they will do more by themselves, before which a run has not ended. */
  isBusy(): boolean;
  /** What a command threw that is no refusal; null: nothing. */
  fault(): unknown;
}

const NO_BUDGET = { tokens: null, cost_usd: null, active_ms: null };

type Act = () => Promise<void>;

/**
 * Each act reads what is there and then runs a command of core, whose calls are parked like those of any process: what was
 * read may have changed meanwhile.
 */
export function createPeople(world: World, registered: readonly Repo[]): People {
  const { random, stores, api, ids, outside, faults } = world;
  const { host, tokens } = outside.hostFor(api);
  const calls = { isStore: true, writes: /create|apply|remove|addNote|claim|release/ };
  const issues = api.wrap('issues', stores.issues, calls);
  const repos = api.wrap('repos', stores.repos, calls);
  const idempotency = api.wrap('keys', stores.idempotency, calls);
  const context = {
    issues,
    clock: world.clock,
    members: stores.members,
    repos,
    runs: stores.runs,
    codehostIndex: stores.codehostIndex,
    attachments: stores.attachments,
    pictures: noPictures,
    ids,
    bases: world.basesOf(api),
    cipher: world.cipher,
    codehost: { host },
    codehostTokens: tokens,
    budget: NO_BUDGET,
    budgetIsFixed: false,
  };
  const signal = new AbortController().signal;
  const sent: { readonly repo: Repo; readonly key: string; readonly waits: boolean }[] = [];
  let fault: unknown = null;

  const by = (userId: UserId): Initiator => ({ userId, actor: { kind: 'user', sessionId: null } });

  async function someIssue(fits: (issue: Issue) => boolean): Promise<Issue | null> {
    const found: Issue[] = [];
    for (const { id } of world.oracle.rows()) {
      const issue = await stores.issues.get(id as IssueId);
      if (issue !== null && fits(issue)) found.push(issue);
    }
    return found.length === 0 ? null : random.pick(found);
  }

  async function create(): Promise<void> {
    // A program that never saw the answer sends its request again, at any later time.
    const isRepeat = sent.length > 0 && random.chance(0.25);
    const request = isRepeat
      ? random.pick(sent)
      : { repo: random.pick(registered), key: `issue ${sent.length + 1}`, waits: random.chance(0.6) };
    if (!isRepeat) sent.push(request);
    const tries = random.chance(0.35) ? 2 : 1; // a client that repeats its request
    const all = await Promise.allSettled(
      Array.from({ length: tries }, () =>
        createOnce({ issues, idempotency, ids }, { ...request, owner: ids.next(), by: by(request.repo.userId) }),
      ),
    );
    for (const one of all) if (one.status === 'rejected') throw one.reason;
  }

  async function decide(): Promise<void> {
    const issue = await someIssue(({ status }) => isOpenForDecision(status));
    if (issue === null) return;
    const kind = random.next();
    const seen = { headCommit: issue.gate?.head_commit ?? undefined };
    const decision: Decision =
      kind < 0.7
        ? { action: 'approve', ...seen }
        : kind < 0.9
          ? { action: 'instruct', guidance: `guidance ${random.below(1_000)}` }
          : { action: 'reject' };
    await decideGate({ ...context, caller: callerOf(issue.userId) }, issue as never, {
      decision,
      by: by(issue.userId),
      signal,
    });
  }

  async function authorized<Act extends IssueAct>(issue: Issue, act: Act) {
    return await authorizeIssue({ issues, members: stores.members, caller: callerOf(issue.userId) }, issue.id, act);
  }

  const acts: readonly (readonly [weight: number, act: Act])[] = [
    [4, create],
    [6, decide],
    [
      2,
      async () => {
        const issue = await someIssue(({ status }) => !isTerminal(status));
        if (issue !== null) await cancelIssue(context, await authorized(issue, 'manage'), { by: by(issue.userId) });
      },
    ],
    [
      3,
      async () => {
        const issue = await someIssue(({ status }) => nextStatus(status, 'retried') !== null);
        if (issue !== null)
          await retryIssue(context, await authorized(issue, 'manage'), { budget: null, by: by(issue.userId) });
      },
    ],
    [
      2,
      async () => {
        const issue = await someIssue(({ status }) => takesNotes(status));
        if (issue === null) return;
        await sendNote(context, await authorized(issue, 'note'), {
          text: `note ${random.below(1_000)}`,
          by: by(issue.userId),
        });
      },
    ],
    [
      1,
      async () => {
        const issue = await someIssue(({ status }) => isTerminal(status));
        if (issue !== null) await deleteIssue(context, await authorized(issue, 'delete'), { by: by(issue.userId) });
      },
    ],
    [
      0.4,
      async () => {
        const repo = random.pick(registered);
        await deleteRepo(context, repo as never, { by: by(repo.userId) });
      },
    ],
    [
      1,
      async () => {
        const repo = await repos.get(random.pick(registered).id as RepoId);
        if (repo === null) return;
        const request = { number: random.between(1, 3), by: by(repo.userId), signal };
        const issue = await importIssue(context, repo, request);
        await runIssue(context, await authorized(issue, 'manage'), { by: by(repo.userId), waits: random.chance(0.5) });
      },
    ],
    [
      1,
      async () => {
        const issue = await someIssue((one) => isPending(one.status) && !isActive(one));
        if (issue === null) return;
        await runIssue(context, await authorized(issue, 'manage'), { by: by(issue.userId), waits: random.chance(0.5) });
      },
    ],
    [1, atHost],
    [0.5, async () => outside.moveBase(`acme/${random.pick(registered).codehostRepoId}`)],
  ];
  const total = acts.reduce((sum, [weight]) => sum + weight, 0);

  /** Merges or closes a pull request of an issue that has ended, and may delete its branch. */
  async function atHost(): Promise<void> {
    const ended = await someIssue(({ status, changeRequest }) => isTerminal(status) && changeRequest !== null);
    if (ended === null || nextStatus(ended.status, 'retried') !== null) return;
    const pull = outside.pulls.find(({ number }) => number === ended.changeRequest?.number);
    if (pull === undefined) return;
    outside.setState(pull, random.pick(['merged', 'closed']));
    if (random.chance(0.5)) outside.deleteBranch(pull.repo, pull.headBranch);
    // A delivery, which may be lost or repeated.
    const subject = {
      codehostRepoId: pull.repo.replace('acme/', ''),
      kind: 'change_request',
      number: pull.number,
    } as const;
    const id = `delivery ${ids.next()}`;
    if (random.chance(faults.lostHint)) return;
    await stores.codehostInbox.deliver(id, subject);
    if (random.chance(faults.doubledHint)) await stores.codehostInbox.deliver(id, subject);
  }

  function start(act: Act): void {
    world.schedule.park({
      label: 'somebody acts',
      owner: api,
      go: () => {
        // Not awaited: the calls of the act are steps of their own.
        void act().catch((error: unknown) => {
          if (!(error instanceof AppError) || error.code === 'internal') fault ??= error;
        });
      },
    });
  }

  return {
    act() {
      let left = random.next() * total;
      const [, act] = acts.find(([weight]) => {
        left -= weight;
        return left < 0;
      }) ?? [0, create];
      start(act);
    },
    approve() {
      start(async () => {
        const issue = await someIssue(({ status }) => isOpenForDecision(status));
        if (issue === null) return;
        const decision: Decision = { action: 'approve', headCommit: issue.gate?.head_commit ?? undefined };
        await decideGate({ ...context, caller: callerOf(issue.userId) }, issue as never, {
          decision,
          by: by(issue.userId),
          signal,
        }).catch(async (error: unknown) => {
          if (!(error instanceof AppError) || error.code !== 'plan_stale') throw error;
          const again: Decision = { action: 'instruct', guidance: 'again' };
          await decideGate({ ...context, caller: callerOf(issue.userId) }, issue as never, {
            decision: again,
            by: by(issue.userId),
            signal,
          });
        });
      });
    },
    isBusy: () => false,
    fault: () => fault,
  };
}
