import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresServer } from '@sluice/testing';
import type { Ledger } from './ledger.ts';
import { watchResumptions } from './resumptions.ts';

const EVERY_MS = 200;

const NOW = `select count(*)::int as live,
  (select count(*)::int from (select r.canonical_remote from issues i join repos r on r.id = i.repo_id
    where i.slot is not null group by 1 having count(*) > 1) twice) as twice
  from issues where slot is not null`;

const LEASES = `select id, lease_epoch as epoch, extract(epoch from lease_expires_at) * 1000 as expires,
  extract(epoch from now()) * 1000 as now from issues where finished_at is null`;

export interface Sampled {
  readonly samples: number;
  /** The most pipelines that were live in one sample. */
  readonly most: number;
  /** See `Resumptions`. */
  readonly stoodStillMs: readonly number[];
}

/** Looks at the rows again and again: never more pipelines than may be, never two on one repository. */
export async function sample(options: {
  readonly postgres: PostgresServer;
  readonly database: string;
  readonly cap: number;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
}): Promise<Sampled> {
  const { postgres, database, cap, ledger, signal } = options;
  const resumptions = watchResumptions();
  let samples = 0;
  let most = 0;
  while (!signal.aborted) {
    // It is hit by the faults like everybody else.
    const [now] = await postgres.query(NOW, database).catch(() => []);
    if (now !== undefined) {
      samples += 1;
      most = Math.max(most, Number(now.live));
      if (Number(now.live) > cap) ledger.violation(`${now.live} pipelines are live, and ${cap} may be`);
      if (Number(now.twice) > 0) ledger.violation(`two pipelines are live on one repository`);
    }
    const leases = await postgres.query(LEASES, database).catch(() => []);
    const seen = leases.map(({ id, epoch, expires }) => ({
      issueId: String(id),
      epoch: Number(epoch),
      expiresAt: expires === null ? null : Number(expires),
    }));
    resumptions.see(seen, Number(leases[0]?.now));
    await pause(EVERY_MS);
  }
  return { samples, most, stoodStillMs: resumptions.stoodStillMs };
}
