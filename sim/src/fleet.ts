import type { IssueId } from '@sluice/core/id';
import type { JobDriver, JobSink } from '@sluice/core/issue';
import type { SandboxLimits } from '@sluice/core/workspace';
import type { Stores } from '@sluice/db';
import {
  createEmbeddedDriver,
  createWorker,
  DEFAULT_BOUNDS,
  type Log,
  type Worker,
  type WorkerDeps,
} from '@sluice/worker';
import { createCodeIndex, type Vectors } from './code-index.ts';
import { createDisk, diskFor } from './disk.ts';
import { carryingLeases, notingLeases } from './execution-lease.ts';
import { createRoles } from './roles.ts';
import { createSimProcess, type SimProcess } from './sim-process.ts';
import { noPictures } from './unasked-calls.ts';
import type { World } from './world.ts';

/** The worker processes of a run, one on each host or all on one. A process that dies is started again. */
export interface Fleet extends JobSink {
  /** Something may happen to one of them. */
  strike(): void;
  /** Ends every fault and starts the processes that are not there. */
  heal(): void;
  /** Kills all of them for good. */
  end(): void;
}

interface Member {
  readonly host: number;
  process: SimProcess;
  worker: Worker;
  sink: JobSink | null;
  isDraining: boolean;
  detach(): void;
}

/** How long things take, in milliseconds of the schedule. */
export interface Pace {
  readonly leaseMs: number;
  readonly maintenanceMs: number;
  readonly longestFreezeMs: number;
  readonly longestCutMs: number;
  readonly longestRestartMs: number;
}

const USUAL_PACE: Pace = {
  leaseMs: 15_000,
  maintenanceMs: 5_000,
  longestFreezeMs: 40_000,
  longestCutMs: 30_000,
  longestRestartMs: 8_000,
};

/** What a process has to itself where the database and the queue are real. */
export interface Attachment {
  readonly stores: Stores;
  readonly driver: JobDriver & JobSink;
  /** Called when the process has died. */
  detach(): void;
}

type FleetWorld = Omit<World, 'oracle' | 'settle' | 'basesOf'>;
const LIMITS: SandboxLimits = {
  timeoutMs: 60_000,
  memoryBytes: 2 ** 30,
  processes: 100,
  fileBytes: 2 ** 30,
  diskBytes: 2 ** 30,
  outputBytes: 2 ** 20,
};

/** Reads whose order matters to nobody, and which idle processes make all the time. */
const QUIET =
  /\.(nextDueInMs|claimable|expiredGates|freeGateSlots|queueWaiting|gatesHoldingSlots|leased|needingWorkspace|expireLeases|steps|log|plans|repos\.get|claimPolls|markMembers|forgetDeliveries|clearExpired|withOldHistory|forgetHistory|deleteRemoved|queueHeld|bounding)$|^(inbox\.claim|repos\.get|workers\.(put|remove))$/;
const WRITES =
  /apply|claim|release|renew|Attempt|record|appendJournal|save|appendLog|mark|settle|defer|noteChangeRequest|setChangeRequestState|outcomes\.note|budgets\.(book|warn)|create/;

export function createFleet(
  world: FleetWorld,
  options: {
    readonly hosts: number;
    readonly isEmbedded: boolean;
    /** Whether all processes run on one host, with one disk. */
    readonly isDiskShared: boolean;
    readonly onBug: (error: unknown) => void;
    /** The queue that all processes share; called for each process that starts. */
    readonly attach: (process: SimProcess, host: number) => Attachment;
    readonly pace?: Pace;
  },
): Fleet {
  const { schedule, random, faults, outside, clock, ids } = world;
  const { pace = USUAL_PACE } = options;
  const disks = Array.from({ length: options.hosts }, (_, index) => createDisk(`host-${index + 1}`));
  const vectors: Vectors = new Map();
  const members: Member[] = [];
  let isEnded = false;
  let started = 0;

  const log: Log = {
    info: () => undefined,
    warn: () => undefined,
    error(fields, message) {
      if (message === 'a stage failed unexpectedly') options.onBug(fields.err);
    },
  };

  function depsOf(
    process: SimProcess,
    host: number,
    { stores, driver }: Attachment,
  ): { deps: WorkerDeps; sink: JobSink | null } {
    const store = { isStore: true, quiet: QUIET, writes: WRITES };
    const runs = notingLeases(process.wrap('runs', stores.runs, store));
    const disk = disks[options.isDiskShared ? 0 : host] ?? createDisk('spare');
    const embedded = options.isEmbedded ? createEmbeddedDriver(() => runs, process.timers) : null;
    const { host: codehost, tokens } = outside.hostFor(process);
    const deps: WorkerDeps = {
      ...diskFor(process, disk, outside),
      standings: { of: async () => null }, // no base branch moves under a pull request
      runs,
      issues: process.wrap('issues', stores.issues, store),
      attachments: process.wrap('attachments', stores.attachments, store),
      pictures: noPictures,
      repos: process.wrap('repos', stores.repos, store),
      members: process.wrap('members', stores.members, store),
      budgets: process.wrap('budgets', stores.budgets, store),
      maintenance: process.wrap('maintenance', stores.maintenance, store),
      workers: process.wrap('workers', stores.workers, store),
      triedSandbox: () => null,
      codehostIndex: process.wrap('index', stores.codehostIndex, store),
      codehostInbox: process.wrap('inbox', stores.codehostInbox, store),
      outcomes: process.wrap('outcomes', stores.outcomes, store),
      agents: createRoles(process, outside),
      codeIndex: createCodeIndex(process, outside, vectors),
      commands: {
        detect: async () => ({ setup: null, test: 'npm test' }),
        facts: async () => ({ programs: [], packages: [], topLevel: [] }),
        readTests: async (output) => ({
          failing: [...output.matchAll(/^not ok \d+ - (.*)$/gm)].map(([, name]) => name ?? ''),
          passing: null,
          counts: null,
        }),
        findings: async () => [],
        touchedTests: async () => null,
      },
      cipher: world.cipher,
      codehost,
      codehostTokens: tokens,
      deliveries: process.wrap('deliveries', stores.deliveries, store),
      auditSealer: null,
      notifying: null,
      publicUrl: new URL('http://sluice.test'),
      signals: world.signalsOf(process),
      clock,
      timers: process.timers,
      ids,
      driver: carryingLeases(embedded ?? driver),
      telemetry: {
        modelAnswered: () => undefined,
        duringStage: (_, work) => work(),
        stageEnded: () => undefined,
        retrievalJudged: () => undefined,
        notificationAttempted: () => undefined,
      },
      log,
    };
    return { deps, sink: embedded };
  }

  function make(host: number): Member {
    started += 1;
    const process = createSimProcess(world, `w${host + 1}.${started}`);
    const attachment = options.attach(process, host);
    const { deps, sink } = depsOf(process, host, attachment);
    const worker = createWorker(deps, {
      owner: process.name,
      host: { hostName: `host-${host + 1}`, pid: started, role: 'worker', version: '0.0.0' },
      concurrency: 3,
      leaseMs: pace.leaseMs,
      maintenanceMs: pace.maintenanceMs,
      stageTimeoutMs: 600_000,
      gateTimeoutMs: 3_600_000,
      workspaceTtlMs: 60_000,
      eventRetentionMs: null,
      budget: { tokens: null, cost_usd: null, active_ms: null },
      bounds: DEFAULT_BOUNDS,
      sandboxLimits: { setup: LIMITS, test: LIMITS, agent: LIMITS },
      setupAllowHosts: [],
      codehostPollMs: 0,
      followUpRounds: 5,
      buildRounds: 2,
    });
    return { host, process, worker, sink, isDraining: false, detach: attachment.detach };
  }

  function launch(member: Member): void {
    const { process, worker } = member;
    boot(worker).catch(() => {
      // It ends, and its supervisor starts it again.
      if (!process.isDead()) kill(member);
    });
  }

  async function boot(worker: Worker): Promise<void> {
    // The only process on a database ends the leases of its predecessor; compose does the same.
    if (options.isEmbedded) {
      await world.stores.runs.expireLeases();
      await world.stores.codehostInbox.expireHolds();
      await world.stores.deliveries.expireHolds();
      await world.stores.workers.clear();
    }
    await worker.start();
  }

  function restart(member: Member): void {
    schedule.after(world.api, random.below(pace.longestRestartMs), () => {
      if (!isEnded) launch(Object.assign(member, make(member.host)));
    });
  }

  function die({ process, detach }: Member): void {
    process.kill();
    detach();
  }

  function kill(member: Member): void {
    die(member);
    restart(member);
  }

  function drain(member: Member): void {
    member.isDraining = true;
    const { process, worker } = member;
    void worker.stop({ graceMs: random.pick([0, 5_000]) }).then(() => {
      if (process.isDead()) return;
      die(member);
      restart(member);
    });
  }

  function freeze({ process }: Member): void {
    process.freeze();
    schedule.after(world.api, random.between(200, pace.longestFreezeMs), () => process.thaw());
  }

  function cut({ process }: Member): void {
    process.cut = random.pick(['refused', 'silent']);
    schedule.after(world.api, random.between(200, pace.longestCutMs), () => {
      process.cut = null;
    });
  }

  for (let host = 0; host < options.hosts; host += 1) {
    const member = make(host);
    members.push(member);
    launch(member);
  }

  return {
    runnable(issueIds: readonly IssueId[]) {
      for (const { process, sink } of members) if (process.isRunning()) sink?.runnable(issueIds);
    },
    strike() {
      const struck: readonly (readonly [number, (member: Member) => void])[] = [
        [options.isEmbedded ? 0 : faults.freeze, freeze],
        [faults.kill, kill],
        [faults.cut, cut],
        [faults.drain, drain],
      ];
      for (const [chance, strike] of struck) {
        if (!random.chance(chance)) continue;
        const up = members.filter(
          ({ process, isDraining }) => process.isRunning() && process.cut === null && !isDraining,
        );
        if (up.length > 0) strike(random.pick(up));
      }
    },
    heal() {
      for (const { process } of members) {
        process.thaw();
        process.cut = null;
      }
    },
    end() {
      isEnded = true;
      for (const member of members) die(member);
    },
  };
}
