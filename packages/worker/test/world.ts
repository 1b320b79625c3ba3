import { type Authorized, callerOf, type IssueAct } from '@sluice/core/access';
import type { TokenCipher } from '@sluice/core/account';
import type { RunStore } from '@sluice/core/agent';
import { systemTimers, type Timers } from '@sluice/core/async';
import type { CodeIndex } from '@sluice/core/code-search';
import type { IssueId } from '@sluice/core/id';
import {
  authorizeIssue,
  cancelIssue,
  createIssue,
  type DecideGateContext,
  type Decision,
  decideGate,
  type Issue,
  type IssueEvent,
  type IssueStore,
  isTerminal,
  type JobDriver,
  type JobSink,
  retryIssue,
  sendNote,
} from '@sluice/core/issue';
import type { Telemetry } from '@sluice/core/operation';
import type { Budget } from '@sluice/core/pipeline';
import { type NewRepo, repoSettingsSchema } from '@sluice/core/repo';
import type { ProjectCommands, SandboxLimits } from '@sluice/core/workspace';
import { aNewRepo, aNewUser, byUser, newId, noPictures, until } from '@sluice/testing';
import { createWorker, type Worker } from '../src/engine/worker.ts';
import { DEFAULT_BOUNDS, type Log, type WorkerDeps, type WorkerOptions } from '../src/execution/worker-deps.ts';
import { createEmbeddedDriver } from '../src/queue/embedded-driver.ts';
import { type FakeHost, fakeHost } from './fake-host.ts';
import { type FakeCommand, fakeSandbox, plainProject, tapTest, testOutput } from './fake-sandbox.ts';
import { openStores, type Stores } from './open-stores.ts';
import { type Script, scriptedAgents } from './scripted-agents.ts';
import { signalHub } from './signal-hub.ts';

const LIMITS: SandboxLimits = {
  timeoutMs: 60_000,
  memoryBytes: 2 ** 30,
  processes: 100,
  fileBytes: 2 ** 30,
  diskBytes: 2 ** 30,
  outputBytes: 2 ** 20,
};

const NO_BUDGET: Budget = { tokens: null, cost_usd: null, active_ms: null };
const cipher: TokenCipher = { encrypt: () => ({ encrypted: '', nonce: '' }), decrypt: () => 'token' };

/** The parts of a worker that a test replaces; the rest are defaults. */
export interface WorkerParts {
  readonly deps?: Partial<WorkerDeps>;
  readonly options?: Partial<WorkerOptions>;
  readonly script?: Partial<Script>;
  readonly plannerTriages?: boolean;
  /** The display name of the model that the agents answer as. */
  readonly label?: string;
  readonly commands?: Record<string, FakeCommand>;
  readonly driver?: JobDriver & JobSink;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** A database, a disk and a remote that outlive the workers of a test. */
export async function openWorld(options: { cap?: number; host?: FakeHost; open?: typeof openStores } = {}) {
  const sinks = new Set<JobSink>();
  const signals = signalHub();
  const sink: JobSink = {
    runnable(ids) {
      for (const each of sinks) each.runnable(ids);
    },
  };
  const stores: Stores = await (options.open ?? openStores)({ signals, sink, cap: options.cap ?? 5 });
  const host = options.host ?? fakeHost();
  const logged: { level: string; fields: Readonly<Record<string, unknown>>; message: string }[] = [];
  const log: Log = {
    info: (fields, message) => void logged.push({ level: 'info', fields, message }),
    warn: (fields, message) => void logged.push({ level: 'warn', fields, message }),
    error: (fields, message) => void logged.push({ level: 'error', fields, message }),
  };
  const counted: {
    answers: Parameters<Telemetry['modelAnswered']>[0][];
    stages: Parameters<Telemetry['stageEnded']>[0][];
    retrievals: Parameters<Telemetry['retrievalJudged']>[0][];
  } = { answers: [], stages: [], retrievals: [] };
  const telemetry: Telemetry = {
    modelAnswered: (answer) => void counted.answers.push(answer),
    duringStage: (_run, work) => work(),
    stageEnded: (run) => void counted.stages.push(run),
    retrievalJudged: (judgement) => void counted.retrievals.push(judgement),
    notificationAttempted: () => undefined,
  };
  const user = aNewUser();
  await stores.users.create(user);
  const workers: Worker[] = [];
  let owners = 0;

  /** Makes a worker on this world. It gets its issues from the stores' commits, like a real one. */
  function makeWorker(parts: WorkerParts = {}) {
    const agents = scriptedAgents(parts.script, parts);
    const sandbox = fakeSandbox(host, { 'npm test': tapTest, ...parts.commands });
    const runs: RunStore = parts.deps?.runs ?? stores.runs;
    const timers: Timers = parts.deps?.timers ?? systemTimers;
    const driver = parts.driver ?? createEmbeddedDriver(() => runs, timers);
    owners += 1;
    const deps: WorkerDeps = {
      issues: stores.issues,
      runs,
      attachments: stores.attachments,
      pictures: noPictures,
      repos: stores.repos,
      members: stores.members,
      budgets: stores.budgets,
      maintenance: stores.maintenance,
      workers: stores.workers,
      workspaces: host.workspaces,
      bases: host.bases,
      standings: { of: async () => null },
      sandbox,
      triedSandbox: () => null,
      codeIndex: fakeIndex(),
      agents,
      commands: tapCommands,
      cipher,
      codehost: null,
      codehostTokens: null,
      codehostIndex: stores.codehostIndex,
      codehostInbox: stores.codehostInbox,
      outcomes: stores.outcomes,
      deliveries: stores.deliveries,
      auditSealer: null,
      notifying: null,
      publicUrl: new URL('http://sluice.example.test'),
      signals,
      clock: { now: () => new Date() },
      timers,
      ids: { next: () => newId() },
      driver,
      telemetry,
      log,
      ...parts.deps,
    };
    const worker = createWorker(deps, {
      owner: `worker-${owners}`,
      host: { hostName: 'test', pid: owners, role: 'worker', version: '0.0.0' },
      concurrency: 5,
      leaseMs: 15_000,
      maintenanceMs: 60_000,
      stageTimeoutMs: 60_000,
      gateTimeoutMs: 60_000,
      workspaceTtlMs: 60_000,
      eventRetentionMs: null,
      budget: NO_BUDGET,
      bounds: DEFAULT_BOUNDS,
      sandboxLimits: { setup: LIMITS, test: LIMITS, agent: LIMITS },
      setupAllowHosts: ['registry.example.test'],
      codehostPollMs: 0,
      buildRounds: 2,
      followUpRounds: 5,
      ...parts.options,
    });
    workers.push(worker);
    return {
      worker,
      agents,
      sandbox,
      driver,
      plug: () => sinks.add(driver),
      unplug: () => sinks.delete(driver),
      /** Treats a worker as dead: it gets no more signals, and its end is not awaited. */
      abandon() {
        sinks.delete(driver);
        workers.splice(workers.indexOf(worker), 1);
      },
    };
  }

  /** The code host of the last worker. */
  let there: Pick<DecideGateContext, 'codehost' | 'codehostTokens'> = { codehost: null, codehostTokens: null };

  /** Authorizes an act of the user who created the issue. */
  async function asOwner<Act extends IssueAct>(id: IssueId, act: Act) {
    const { userId } = await read(stores.issues, id);
    return await authorizeIssue({ ...stores, caller: callerOf(userId) }, id, act);
  }

  function decideAsSeen(issue: Issue, decision: Decision, userId = issue.userId): Promise<Issue> {
    const { signal } = new AbortController();
    const clock = { now: () => new Date() };
    const context = { ...stores, bases: host.bases, cipher, clock, caller: callerOf(userId), ...there };
    return decideGate(context, issue as Authorized<Issue, 'decide'>, { decision, by: byUser(userId), signal });
  }

  return {
    ...stores,
    signals,
    host,
    logged,
    counted,
    sinks,
    makeWorker,
    async startWorker(parts: WorkerParts = {}) {
      const made = makeWorker(parts);
      const { codehost = null, codehostTokens = null } = parts.deps ?? {};
      there = { codehost: codehost === null ? null : { host: codehost }, codehostTokens };
      made.plug();
      await made.worker.start();
      return made;
    },
    /** Creates an issue on a new repository, queued and started when there is a slot. */
    async newIssue(repo: Partial<NewRepo> = {}, title = 'Sum ignores its last argument'): Promise<Issue> {
      const made = await stores.repos.create(
        aNewRepo({ userId: user.id, settings: repoSettingsSchema.parse({}), ...repo }),
      );
      if (made.kind !== 'created') throw new Error('the repository exists');
      return createIssue(
        { issues: stores.issues, ids: { next: () => newId() } },
        made.repo as never, // the owner's own: the test stands for the edge that authorizes
        {
          draft: { title, body: 'sum(1, 2, 3) gives 3.' },
          by: byUser(user.id),
        },
      );
    },
    get: (id: IssueId) => read(stores.issues, id),
    async decide(id: IssueId, decision: Decision): Promise<Issue> {
      return decideAsSeen(await asOwner(id, 'decide'), decision);
    },
    /** Decides an issue as it was read before. */
    decideAsSeen,
    /** Retries, optionally with a budget different from `server`'s. */
    async retry(id: IssueId, budgets: { own?: Partial<Budget>; server?: Budget } = {}): Promise<Issue> {
      const context = { ...stores, budget: budgets.server ?? NO_BUDGET, budgetIsFixed: false };
      const issue = await asOwner(id, 'manage');
      return retryIssue(context, issue, { budget: budgets.own ?? null, by: byUser(issue.userId) });
    },
    /** Retries an issue without authorization. */
    retryAsSeen(issue: Issue): Promise<Issue> {
      const context = { ...stores, budget: NO_BUDGET, budgetIsFixed: false };
      return retryIssue(context, issue as Authorized<Issue, 'manage'>, { budget: null, by: byUser(issue.userId) });
    },
    async cancel(id: IssueId): Promise<void> {
      const issue = await read(stores.issues, id);
      await cancelIssue(stores, issue, { by: byUser(issue.userId) });
    },
    async note(id: IssueId, text: string): Promise<void> {
      const issue = await asOwner(id, 'note');
      await sendNote(stores, issue, { text, by: byUser(issue.userId) });
    },
    async untilStatus(id: IssueId, status: Issue['status']): Promise<Issue> {
      await until(`the issue is ${status}`, async () => {
        const issue = await read(stores.issues, id);
        if (isTerminal(issue.status) && issue.status !== status) {
          throw new Error(`the issue is ${issue.status}: ${JSON.stringify(issue.error)} ${JSON.stringify(logged)}`);
        }
        return issue.status === status;
      });
      return read(stores.issues, id);
    },
    events: (id: IssueId) => allEvents(stores.issues, id),
    /** Messages of the service, in order. */
    async said(id: IssueId): Promise<string[]> {
      const events = await allEvents(stores.issues, id);
      return events.flatMap((event) =>
        event.type === 'agent.message' && event.data.agent === 'service' ? [event.data.text] : [],
      );
    },
    /** The events in short form, in order. */
    async story(id: IssueId): Promise<string[]> {
      return (await allEvents(stores.issues, id)).map(inShort);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.stop({ graceMs: 0 })));
      await stores.close();
    },
  };
}

/** An empty index of the tree's base. */
export function fakeIndex(): CodeIndex {
  return {
    update: async ({ baseCommit }) => ({
      index: { commit: baseCommit, files: 1, chunks: 1, updated_at: new Date().toISOString() },
      notes: [],
    }),
    search: async () => [],
    outline: async () => null,
    syntaxFaults: async () => null,
    drop: async () => undefined,
    close: async () => undefined,
  };
}

export const tapCommands: ProjectCommands = {
  detect: async () => ({ setup: null, test: 'npm test' }),
  ...plainProject,
  readTests: async (output) => testOutput([...output.matchAll(/^not ok \d+ - (.*)$/gm)].map((match) => match[1] ?? '')),
};

async function read(issues: IssueStore, id: IssueId): Promise<Issue> {
  const issue = await issues.get(id);
  if (issue === null) throw new Error('the issue is gone');
  return issue;
}

async function allEvents(issues: IssueStore, id: IssueId): Promise<readonly IssueEvent[]> {
  return issues.events(id, { after: 0, limit: 10_000 });
}

function inShort(event: IssueEvent): string {
  switch (event.type) {
    case 'issue.status':
      return `${event.data.from} -> ${event.data.to}`;
    case 'stage.started':
    case 'stage.completed':
      return `${event.type} ${event.data.stage} ${event.data.attempt}`;
    case 'stage.failed':
      return `${event.type} ${event.data.stage} ${event.data.attempt}${event.data.will_retry ? ' will retry' : ''}`;
    case 'command.started':
      return `${event.type} ${event.data.command}`;
    case 'command.finished':
      return `${event.type} ${event.data.command} ${event.data.exit_code}`;
    default:
      return event.type;
  }
}
