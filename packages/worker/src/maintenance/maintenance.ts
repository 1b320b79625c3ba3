import { expireGate, GATE_REMINDER_MS, remindOfGate } from '@sluice/core/issue';
import type { WorkerDeps } from '../execution/worker-deps.ts';
import type { AuditSealing } from './audit-sealing.ts';
import type { CloneRetention } from './clone-retention.ts';
import type { DatabaseRetention } from './database-retention.ts';
import type { Presence } from './presence.ts';
import type { WorkspaceRetention } from './workspace-retention.ts';

const BATCH = 100; // more than can be claimable at once under any sensible cap

/**
 * Runs the periodic jobs: finds issues of dead processes, tells the others that this worker is there, seals the audit
 * log, expires gates and reminds of them, and removes working trees, clones and rows that are no longer needed. A failed job is logged and does not
 * stop the others.
 */
export async function runMaintenance(
  deps: WorkerDeps,
  jobs: {
    readonly presence: Presence;
    readonly audit: AuditSealing;
    readonly trees: WorkspaceRetention;
    readonly clones: CloneRetention;
    readonly database: DatabaseRetention;
  },
): Promise<void> {
  const parts: readonly [name: string, part: () => Promise<void>][] = [
    ['claimable issues', () => sweepLeases(deps)],
    ['issues that wait for their repository', async () => void (await deps.issues.queueWaiting())],
    ['issues that wait for a new month', async () => void (await deps.budgets.queueHeld())],
    ['presence', () => jobs.presence.run()],
    ['seals of the audit log', () => jobs.audit.run()],
    ['expired gates', () => expireGates(deps)],
    ['slots of gates', () => freeGateSlots(deps)],
    ['reminders of gates', () => remindOfGates(deps)],
    ['working trees', () => jobs.trees.run()],
    ['clones', () => jobs.clones.run()],
    ['database', () => jobs.database.run()],
  ];
  for (const [name, part] of parts) {
    await part().catch((error: unknown) => deps.log.error({ err: error, part: name }, 'a maintenance job failed'));
  }
}

async function sweepLeases({ runs, driver }: WorkerDeps): Promise<void> {
  const ids = await runs.claimable(BATCH);
  if (ids.length > 0) driver.runnable(ids);
}

async function expireGates({ issues, runs, clock }: WorkerDeps): Promise<void> {
  const now = clock.now();
  for (const id of await runs.expiredGates(now)) {
    const issue = await issues.get(id);
    const expiresAt = issue?.gate?.expires_at ?? null;
    // A new plan may have opened another gate since the list was read.
    if (issue === null || expiresAt === null || new Date(expiresAt) > now) continue;
    await expireGate({ issues }, issue);
  }
}

/** A gate frees its slot when it opens. These were opened while GATE_KEEPS_SLOT was still on. */
async function freeGateSlots({ runs, log }: WorkerDeps): Promise<void> {
  const count = await runs.freeGateSlots();
  if (count > 0) log.info({ count }, 'freed the slots of issues at their gates (GATE_KEEPS_SLOT is off)');
}

async function remindOfGates({ issues, runs, clock }: WorkerDeps): Promise<void> {
  const now = clock.now();
  for (const id of await runs.gatesHoldingSlots(new Date(now.getTime() - GATE_REMINDER_MS))) {
    const issue = await issues.get(id);
    if (issue !== null) await remindOfGate({ issues }, issue, now);
  }
}
