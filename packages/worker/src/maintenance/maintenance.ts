import { expireGate, GATE_REMINDER_MS, remindOfGate } from '@sluice/core';
import type { WorkerDeps } from '../execution/worker-deps.ts';
import type { CloneRetention } from './clone-retention.ts';
import type { DatabaseRetention } from './database-retention.ts';
import type { WorkspaceRetention } from './workspace-retention.ts';

const BATCH = 100; // more than can be claimable at a time under any sensible cap

/**
 * Catches what nobody told of: issues that a dead process left behind, gates that nobody answered, working trees
 * that nobody needs, clones of repositories that are gone, what is over. One part's failure is reported and keeps no other part from running.
 */
export async function sweep(
  deps: WorkerDeps,
  keepers: { readonly trees: WorkspaceRetention; readonly clones: CloneRetention; readonly house: DatabaseRetention },
): Promise<void> {
  const parts: readonly [name: string, part: () => Promise<void>][] = [
    ['claimable issues', () => sweepLeases(deps)],
    ['expired gates', () => expireGates(deps)],
    ['slots of gates', () => freeGateSlots(deps)],
    ['reminders of gates', () => remindOfGates(deps)],
    ['working trees', () => keepers.trees.sweep()],
    ['clones', () => keepers.clones.sweep()],
    ['upkeep', () => keepers.house.sweep()],
  ];
  for (const [name, part] of parts) {
    await part().catch((error: unknown) => deps.log.error({ err: error, part: name }, 'a part of the sweep failed'));
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
    // The plan may have been made anew since the list was: its gate has its own time.
    if (issue === null || expiresAt === null || new Date(expiresAt) > now) continue;
    await expireGate({ issues }, issue);
  }
}

/** Each gate gives its slot away when it is opened; these were opened while slots were still kept there. */
async function freeGateSlots({ runs, log }: WorkerDeps): Promise<void> {
  const count = await runs.freeGateSlots();
  if (count > 0) log.info({ count }, 'slots were freed that issues had kept at their gates (GATE_KEEPS_SLOT)');
}

async function remindOfGates({ issues, runs, clock }: WorkerDeps): Promise<void> {
  const now = clock.now();
  for (const id of await runs.gatesHoldingSlots(new Date(now.getTime() - GATE_REMINDER_MS))) {
    const issue = await issues.get(id);
    if (issue !== null) await remindOfGate({ issues }, issue, now);
  }
}
