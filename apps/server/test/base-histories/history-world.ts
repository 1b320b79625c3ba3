import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Authorized, callerOf } from '@sluice/core/access';
import type { TokenCipher } from '@sluice/core/account';
import type { AgentContext, AgentRunner } from '@sluice/core/agent';
import { systemTimers } from '@sluice/core/async';
import type { ChangeRequestDetails, CodeHost } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { IssueId, UserId } from '@sluice/core/id';
import { decideGate, type Issue, isOpenForDecision, isTerminal, type JobSink, type Signals } from '@sluice/core/issue';
import { NEW_PIPELINE, NO_USAGE, type Plan, planHash } from '@sluice/core/pipeline';
import { hostedName, repoSettingsSchema } from '@sluice/core/repo';
import type { ProjectCommands, Sandbox, SandboxLimits } from '@sluice/core/workspace';
import type { Stores } from '@sluice/db';
import { openScratch } from '@sluice/db/scratch';
import { aNewIssue, aNewRepo, aNewUser, byUser, localHosts, newId, noPictures, until } from '@sluice/testing';
import { createEmbeddedDriver, createWorker, DEFAULT_BOUNDS, syncSubject } from '@sluice/worker';
import { createBaseBranches, createBranchStandings, createWorkspaces } from '@sluice/workspace';
import { filesIn, type HistoryRepo } from './history-repo.ts';

const LIMITS: SandboxLimits = {
  ...{ timeoutMs: 60_000, memoryBytes: 2 ** 30, processes: 100 },
  ...{ fileBytes: 2 ** 30, diskBytes: 2 ** 30, outputBytes: 2 ** 20 },
};
const AT_ONCE = 4;

/** A pull request as the code host shows it. */
export interface HistoryChange {
  readonly repo: HistoryRepo;
  readonly codehostRepoId: string;
  readonly number: number;
  readonly branch: string;
}

export type HistoryWorld = Awaited<ReturnType<typeof openHistoryWorld>>;

/**
 * A worker with real git and a real database, beside a code host, a sandbox and agents that are played: the coder keeps both
 * sides of each conflict, and the tests fail on a file `flag` that does not say `on` and on what a conflict left behind.
 */
export async function openHistoryWorld(folder: string, { hasModel = true, settles = true } = {}) {
  const sinks: JobSink[] = [];
  const signals = silentSignals();
  const stores = await openScratch({
    clock: { now: () => new Date() },
    maxActivePipelines: AT_ONCE,
    onEvents: (hint) => signals.eventsWritten(hint),
    onRunnable: (ids) => {
      for (const sink of sinks) sink.runnable(ids);
    },
    onListenerError: (error) => {
      throw error;
    },
  });
  const changes = new Map<string, HistoryChange>();
  /** The files at each run of the tests. */
  const tested = new Set<string>();
  /** What a person does once, by the first issue, while the tests of its follow-up run. */
  const races = new Map<IssueId, () => Promise<void>>();
  const workspaceOptions = {
    root: join(folder, 'workspaces'),
    author: { name: 'Sluice', email: 'sluice@example.com' },
    allowLocalRepos: true,
    allowPrivateHosts: false,
    hosts: localHosts,
  };
  const bases = createBaseBranches(workspaceOptions);
  const standings = createBranchStandings(workspaceOptions);
  const workspaces = createWorkspaces(workspaceOptions);
  const driver = createEmbeddedDriver(() => stores.runs, systemTimers);
  const codehost = playedHost(folder, changes);
  const codehostTokens = {
    of: async () => 'token',
    callAsUser: <T>(
      _: string,
      signal: AbortSignal,
      work: (call: { token: string; signal: AbortSignal }) => Promise<T>,
    ) => work({ token: 'token', signal }),
  };
  const sandbox: Sandbox = {
    kind: 'bwrap',
    probe: async () => ({ kind: 'bwrap', usable: true, problem: null, gaps: [], readPaths: [] }),
    run: async ({ root }) => {
      tested.add(await filesIn(root));
      const flag = await readFile(join(root, 'flag'), 'utf8').catch(() => '');
      const output = `${flag.startsWith('on') ? '' : 'not '}ok 1 - flag\n`;
      await race(basename(root) as IssueId);
      const exitCode = output.startsWith('not') ? 1 : 0;
      return { exitCode, output, endedBy: 'exit', truncated: false, durationMs: 1 };
    },
  };
  async function race(issueId: IssueId): Promise<void> {
    const first = (await stores.issues.get(issueId))?.parentIssueId ?? null;
    const act = first === null ? undefined : races.get(first);
    if (first === null || act === undefined) return;
    races.delete(first);
    await act();
  }
  const syncDeps = {
    ...{ ...stores, standings, cipher, timers: systemTimers, clock: { now: () => new Date() } },
    pictures: noPictures,
    publicUrl: new URL('http://sluice.example.test'),
    ...{ ids: { next: () => newId() }, log: { info: () => undefined, warn: () => undefined, error: () => undefined } },
  };
  const worker = createWorker(
    {
      ...stores,
      ...{ workspaces, bases, standings, sandbox, driver, signals, codehost, codehostTokens, cipher },
      pictures: noPictures,
      auditSealer: null,
      notifying: null,
      triedSandbox: () => null,
      codeIndex: {
        update: async ({ baseCommit }) => ({
          index: { commit: baseCommit, files: 1, chunks: 1, updated_at: new Date().toISOString() },
          notes: [],
        }),
        search: async () => [],
        outline: async () => null,
        syntaxFaults: async () => null,
        drop: async () => undefined,
        close: async () => undefined,
      },
      agents: playedAgents({ hasModel, settles }),
      commands,
      publicUrl: new URL('http://sluice.example.test'),
      clock: { now: () => new Date() },
      timers: systemTimers,
      ids: { next: () => newId() },
      telemetry: {
        modelAnswered: () => undefined,
        duringStage: (_run, work) => work(),
        stageEnded: () => undefined,
        retrievalJudged: () => undefined,
        notificationAttempted: () => undefined,
      },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    },
    {
      owner: 'worker',
      host: { hostName: 'test', pid: 1, role: 'worker', version: '0.0.0' },
      ...{ concurrency: AT_ONCE, leaseMs: 60_000, maintenanceMs: 3_600_000, stageTimeoutMs: 600_000 },
      ...{ gateTimeoutMs: 0, workspaceTtlMs: 3_600_000, eventRetentionMs: null, bounds: DEFAULT_BOUNDS },
      budget: { tokens: null, cost_usd: null, active_ms: null },
      sandboxLimits: { setup: LIMITS, test: LIMITS, agent: LIMITS },
      ...{ setupAllowHosts: [], codehostPollMs: 0, buildRounds: 0, followUpRounds: 5 },
    },
  );
  const followUps = (first: Issue) => stores.codehostIndex.followUpsOf(first.id);

  async function decide(issue: Issue, action: 'approve' | 'reject'): Promise<void> {
    const { signal } = new AbortController();
    const there = { bases, cipher, codehost: { host: codehost }, codehostTokens };
    const context = { ...stores, ...there, clock: { now: () => new Date() }, caller: callerOf(issue.userId) };
    const headCommit = issue.gate?.kind === 'publish' ? (issue.gate.head_commit ?? undefined) : undefined;
    const decision = { action, revision: issue.gate?.revision, headCommit };
    const by = byUser(issue.userId);
    await decideGate(context, issue as Authorized<Issue, 'decide'>, { decision, by, signal }).catch(
      async (error: unknown) => {
        // The branch has moved under the gate: nothing is approved that was not seen.
        if (!(error instanceof AppError) || error.code !== 'plan_stale') throw error;
        const rejection = { action: 'reject', revision: issue.gate?.revision } as const;
        await decideGate(context, issue as Authorized<Issue, 'decide'>, { decision: rejection, by, signal });
      },
    );
  }

  return {
    ...stores,
    tested,
    races,
    followUps,
    /** The worker is started once all first issues are there: it must not take them for work. */
    async start(): Promise<void> {
      sinks.push(driver);
      await worker.start();
    },
    /** An issue that was approved by its user and published to a pull request, before the worker is started. */
    async published(change: HistoryChange, of: { files: string[]; followBase: 'watch' | 'merge' }): Promise<Issue> {
      changes.set(`${change.codehostRepoId} ${change.number}`, change);
      const user = aNewUser();
      await stores.users.create(user);
      const url = `file://${change.repo.bare}`;
      const made = await stores.repos.create(
        aNewRepo({
          ...{
            userId: user.id,
            provider: 'codehost',
            codehostRepoId: change.codehostRepoId,
            url,
            canonicalRemote: url,
          },
          settings: repoSettingsSchema.parse({ follow_base: of.followBase, follow_build: 'off' }),
        }),
      );
      if (made.kind !== 'created') throw new Error('the repository exists');
      const id = newId() as IssueId;
      const issue = aNewIssue({ id, userId: user.id, repoId: made.repo.id, branch: change.branch });
      await stores.issues.create(issue, { queue: true });
      return await publishedBefore(stores, { id, userId: user.id, plan: planOf(of.files), change });
    },
    /**
     * Syncs the pull request until nothing more comes of it.
     *
     * @param choose decides the gates
     */
    async settle({ codehostRepoId, number }: HistoryChange, first: Issue, choose: () => 'approve' | 'reject') {
      const bounds = { buildRounds: 0, followUpRounds: 5, confirmClaim: async () => undefined };
      const publicUrl = new URL('https://sluice.test');
      const sync = {
        deps: { ...syncDeps, publicUrl, signals: { accessChanged: () => {} } },
        host: codehost,
        tokens: codehostTokens,
        ...bounds,
      };
      const { signal } = new AbortController();
      for (let seen = -1; ; ) {
        const outcome = await syncSubject(sync, { codehostRepoId, kind: 'change_request', number }, signal);
        if (outcome.kind === 'failed') throw outcome.error;
        await until('no follow-up is at work', async () => {
          const all = await followUps(first);
          const gate = all.find(({ status }) => isOpenForDecision(status));
          if (gate !== undefined) await decide(gate, choose());
          return all.every(({ status }) => isTerminal(status));
        });
        const { length } = await followUps(first);
        if (length === seen && outcome.kind === 'done') return;
        seen = length;
      }
    },
    async [Symbol.asyncDispose]() {
      await worker.stop({ graceMs: 0 });
      await workspaces.settled();
      await stores.close();
    },
  };
}

/** The code host, of which only pull requests are asked for. */
function playedHost(folder: string, changes: ReadonlyMap<string, HistoryChange>): CodeHost {
  const never = () => Promise.reject(new Error('Nothing of this is done here.'));
  const web = `file://${folder}`;
  const nameOf = ({ repo }: HistoryChange) =>
    hostedName({ url: web }, { provider: 'codehost', url: `file://${repo.bare}` });
  const byName = (name: string): HistoryChange => {
    const found = [...changes.values()].find((change) => nameOf(change) === name);
    if (found === undefined) throw new AppError('codehost_not_found');
    return found;
  };
  const shown = async ({ number, branch, repo }: HistoryChange): Promise<ChangeRequestDetails> => ({
    ...{ number, url: `https://host.test/pull/${number}`, state: 'open', baseBranch: 'main', mergeState: 'clean' },
    ...{ openedAt: new Date(), mergedAt: null, closedAt: null, mergeCommit: null },
    ...{ headBranch: branch, headCommit: await repo.tip(branch) },
  });
  const host: Partial<CodeHost> = {
    url: web,
    repoById: async (_call, id) => {
      const found = [...changes.values()].find(({ codehostRepoId }) => codehostRepoId === id);
      if (found === undefined) throw new AppError('codehost_not_found');
      const url = `file://${found.repo.bare}`;
      return {
        id,
        fullName: nameOf(found),
        private: true,
        description: null,
        defaultBranch: 'main',
        url,
        pushedAt: null,
      };
    },
    changeRequest: (_call, name) => shown(byName(name)),
    findChangeRequest: (_call, name) => shown(byName(name)),
    changeRequestCommits: async () => [],
    comments: async () => [],
    putComment: async () => ({ id: 'issue-1', url: 'https://host.test/comment' }),
  };
  // Calls that histories do not make.
  return new Proxy(host, { get: (target, key) => Reflect.get(target, key) ?? never }) as CodeHost;
}

/** A coder that keeps both sides of each conflict, and leaves the lines between them unless it settles it; a reviewer that approves everything. */
function playedAgents({ hasModel, settles }: { hasModel: boolean; settles: boolean }): AgentRunner {
  const play = async (
    role: string,
    input: unknown,
    { workspace }: Pick<AgentContext, 'workspace'>,
  ): Promise<object> => {
    if (role !== 'coder') return { decision: 'approve', summary: 'Fine.', findings: [] };
    const { plan } = input as { plan: Plan };
    for (const path of plan.steps.flatMap(({ files }) => files)) {
      const text = await workspace.files.read(path).catch(() => null);
      if (text !== null) await workspace.files.write(path, settles ? withBothSides(text) : `${text}more\n`);
    }
    return { outcome: 'done', summary: 'Both sides are kept.', outsidePlan: [] };
  };
  return {
    plannerTriages: () => true,
    promptRevision: () => 'played',
    planBlocker: async () => (hasModel ? null : 'Writing code needs a model.'),
    run: async (role, input, context) => {
      const output = await play(role, input, context);
      return { output, usage: NO_USAGE, madeBy: ['played'], retrieved: [] } as never;
    },
  };
}

function withBothSides(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^(<{7} |={7}$|>{7} )/.test(line))
    .join('\n');
}

const commands: ProjectCommands = {
  detect: async () => ({ setup: null, test: 'test' }),
  facts: async () => ({ programs: [], packages: [], topLevel: [] }),
  findings: async () => [],
  touchedTests: async () => null,
  readTests: async (output) => ({
    failing: /^not ok/.test(output) ? ['flag'] : [],
    passing: null,
    counts: null,
  }),
};

const cipher: TokenCipher = { encrypt: () => ({ encrypted: '', nonce: '' }), decrypt: () => '' };

function planOf(files: string[]): Plan {
  return {
    revision: 1,
    summary: 'The first change.',
    steps: [{ title: 'Change', detail: 'As asked.', files }],
    acceptance_criteria: [],
    risks: [],
    test_strategy: '',
    guidance: null,
    created_at: new Date().toISOString(),
  };
}

interface Published {
  readonly id: IssueId;
  readonly userId: UserId;
  readonly plan: Plan;
  readonly change: HistoryChange;
}

/** Ends a new issue as a pipeline would have ended it: approved by its user, and published to its pull request. */
async function publishedBefore(
  { issues, runs }: Stores,
  { id, userId, plan, change: { number, branch, repo } }: Published,
): Promise<Issue> {
  const claimed = await runs.claim(id, { owner: 'before', ttlMs: 60_000, toBegin: () => null });
  if (claimed === null) throw new Error('the issue could not be claimed');
  const head_commit = await repo.tip(branch);
  const base_commit = await repo.tip('main');
  const outcome = await issues.apply({
    issueId: id,
    from: { status: 'running' },
    lease: claimed.lease,
    trigger: 'published',
    plan,
    set: {
      changeRequest: { number, state: 'open' },
      pipeline: { ...NEW_PIPELINE, branch, approved: { revision: 1, plan_hash: planHash(plan), base_commit } },
      result: {
        ...{ branch, base_commit, head_commit, change_request_url: `https://host.test/pull/${number}` },
        ...{ summary: '', files_changed: 1, additions: 1, deletions: 1, tests: null, findings: [], answer: null },
      },
    },
    events: [{ type: 'review.decided', data: { revision: 1, action: 'approve', guidance: null, user_id: userId } }],
  });
  if (outcome.kind !== 'applied') throw new Error(`the issue was not published: ${outcome.kind}`);
  return outcome.issue;
}

/** The signals of a single process. */
function silentSignals(): Signals {
  const unsubscribe = () => undefined;
  return new Proxy({} as Signals, { get: () => () => unsubscribe });
}
