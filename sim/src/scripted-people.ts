import { callerOf, type IssueAct } from '@sluice/core/access';
import type { Initiator } from '@sluice/core/audit';
import { AppError } from '@sluice/core/error';
import { importIssue } from '@sluice/core/hosted-issue';
import type { IssueId, UserId } from '@sluice/core/id';
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
} from '@sluice/core/issue';
import type { Repo } from '@sluice/core/repo';
import { createOnce } from './create-once.ts';
import type { People } from './people.ts';
import { createRandom } from './random.ts';
import { noPictures } from './unasked-calls.ts';
import type { World } from './world.ts';

/**
 * The acts of people on one issue. Each act depends on this issue alone, so the order of acts changes no final state.
 */
export interface Script {
  readonly issueId: IssueId;
  readonly repo: Repo;
  /** The key of the request, or the number of the imported issue. */
  readonly from: { readonly key: string } | { readonly number: number };
  /** Whether the request is sent again after its issue was made. */
  readonly isRepeated: boolean;
  /** What the first plans are answered with. */
  readonly guidance: readonly string[];
  readonly verdict: 'approve' | 'reject' | 'cancel';
  readonly isRetried: boolean;
  readonly atEnd: 'merged' | 'closed' | 'deleted' | null;
}

type ScriptedWorld = Pick<
  World,
  'schedule' | 'clock' | 'random' | 'stores' | 'api' | 'outside' | 'ids' | 'cipher' | 'basesOf'
>;

const SEED_OF_SCRIPTS = 7_000_003; // apart from the chances of faults, which differ between two runs of a seed
const NO_BUDGET = { tokens: null, cost_usd: null, active_ms: null };

/** The scripts of a seed: the same for the same repositories. */
export function scriptsOf(seed: number, repos: readonly Repo[]): Script[] {
  const random = createRandom(seed + SEED_OF_SCRIPTS);
  const imported = new Set<string>();
  return Array.from({ length: random.between(4, 8) }, (_, index) => {
    const repo = random.pick(repos);
    const number = random.between(1, 3);
    const hosted = `${repo.id} ${number}`;
    const isImport = random.chance(0.3) && !imported.has(hosted);
    if (isImport) imported.add(hosted);
    const verdict = random.next();
    return {
      issueId: numbered(index),
      repo,
      from: isImport ? { number } : { key: `issue ${index + 1}` },
      isRepeated: random.chance(0.4) && !isImport, // the service refuses to import an issue again
      guidance: Array.from({ length: random.below(3) }, () => `guidance ${random.below(1_000)}`),
      verdict: verdict < 0.75 ? 'approve' : verdict < 0.9 ? 'reject' : 'cancel',
      isRetried: random.chance(0.5),
      atEnd: random.pick([null, null, 'merged', 'closed', 'deleted']),
    };
  });
}

/** An id above those that a run counts. Its branch is named after the end of it. */
function numbered(index: number): IssueId {
  const hex = (0xaaaa0000 + index).toString(16);
  return `00000000-0000-7000-8000-0000${hex}` as IssueId;
}

/** People who follow scripts. An act that is refused is tried again later, as by a client that polls. */
export function createScriptedPeople(world: ScriptedWorld, scripts: readonly Script[]): People {
  const { random, stores, api, outside } = world;
  const { host, tokens } = outside.hostFor(api);
  const issues = api.wrap('issues', stores.issues, { isStore: true });
  const idempotency = api.wrap('keys', stores.idempotency, { isStore: true });
  const context = {
    issues,
    clock: world.clock,
    members: stores.members,
    repos: api.wrap('repos', stores.repos, { isStore: true }),
    runs: stores.runs,
    codehostIndex: stores.codehostIndex,
    attachments: stores.attachments,
    pictures: noPictures,
    bases: world.basesOf(api),
    cipher: world.cipher,
    codehost: { host },
    codehostTokens: tokens,
    budget: NO_BUDGET,
    budgetIsFixed: false,
  };
  const { signal } = new AbortController();
  /** The one-time acts of each script that have happened; the scripts with an act under way; and those at their end. */
  const done = new Map(scripts.map((script) => [script, new Set<string>()]));
  const busy = new Set<Script>();
  const over = new Set<Script>();
  let fault: unknown = null;

  const by = (userId: UserId): Initiator => ({ userId, actor: { kind: 'user', sessionId: null } });
  const authorized = <Act extends IssueAct>(issue: Issue, act: Act) =>
    authorizeIssue({ issues, members: stores.members, caller: callerOf(issue.userId) }, issue.id, act);

  /** @returns false when it has happened before */
  async function once(script: Script, act: string, work: () => unknown): Promise<boolean> {
    const its = done.get(script) ?? new Set();
    if (its.has(act)) return false;
    await work();
    its.add(act);
    return true;
  }

  async function request({ issueId, repo, from }: Script): Promise<void> {
    const ids = { next: () => issueId };
    const initiator = by(repo.userId);
    if ('number' in from) {
      await importIssue({ ...context, ids }, repo, { number: from.number, by: initiator, signal });
      return;
    }
    const owner = world.ids.next();
    await createOnce({ issues, idempotency, ids }, { repo, key: from.key, owner, by: initiator });
  }

  async function decide(script: Script, issue: Issue): Promise<void> {
    const { guidance, verdict } = script;
    const initiator = by(issue.userId);
    const answer = (decision: Decision) =>
      decideGate({ ...context, caller: callerOf(issue.userId) }, issue as never, { decision, by: initiator, signal });
    const instruction = guidance[(issue.gate?.revision ?? 1) - 1];
    if (instruction !== undefined) await answer({ action: 'instruct', guidance: instruction });
    else if (verdict === 'cancel') await cancelIssue(context, await authorized(issue, 'manage'), { by: initiator });
    else if (verdict === 'reject') await answer({ action: 'reject' });
    else await answer({ action: 'approve', headCommit: issue.gate?.head_commit ?? undefined });
  }

  /** @returns whether the issue is as its script leaves it */
  async function end(script: Script, issue: Issue): Promise<boolean> {
    const initiator = by(issue.userId);
    if (nextStatus(issue.status, 'retried') !== null && script.isRetried) {
      const retry = async () => retryIssue(context, await authorized(issue, 'manage'), { budget: null, by: initiator });
      if (await once(script, 'retry', retry)) return false;
    }
    if (script.atEnd === null) return true;
    if (script.atEnd === 'deleted') {
      await deleteIssue(context, await authorized(issue, 'delete'), { by: initiator });
      return false;
    }
    const state = script.atEnd;
    const pull = outside.pulls.find(({ number }) => number === issue.changeRequest?.number);
    if (pull === undefined) return true;
    await once(script, state, () => {
      outside.setState(pull, state);
      const codehostRepoId = pull.repo.replace('acme/', '');
      return stores.codehostInbox.deliver(`delivery of ${issue.id}`, {
        codehostRepoId,
        kind: 'change_request',
        number: pull.number,
      });
    });
    return issue.changeRequest?.state === state;
  }

  async function follow(script: Script): Promise<void> {
    if (await once(script, 'request', () => request(script))) return;
    if (script.isRepeated && (await once(script, 'repeat', () => request(script)))) return;
    const issue = await issues.get(script.issueId);
    if (issue === null) over.add(script);
    else if (isOpenForDecision(issue.status)) await decide(script, issue);
    else if (isPending(issue.status) && !isActive(issue)) {
      await runIssue(context, await authorized(issue, 'manage'), { by: by(issue.userId) });
    } else if (isTerminal(issue.status) && (await end(script, issue))) over.add(script);
  }

  function act(): void {
    const idle = scripts.filter((script) => !busy.has(script) && !over.has(script));
    if (idle.length === 0) return;
    const script = random.pick(idle);
    busy.add(script);
    const refused = (error: unknown) => {
      if (!(error instanceof AppError) || error.code === 'internal') fault ??= error;
    };
    world.schedule.park({
      label: 'somebody acts',
      owner: api,
      go: () => {
        // Not awaited: the calls of the act are steps of their own.
        void follow(script)
          .catch(refused)
          .finally(() => busy.delete(script));
      },
    });
  }

  return { act, approve: act, isBusy: () => over.size < scripts.length, fault: () => fault };
}
