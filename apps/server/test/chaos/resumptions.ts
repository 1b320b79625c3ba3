/** The lease of one issue in a sample of the rows; times in milliseconds of the database's clock. */
interface SampledLease {
  readonly issueId: string;
  readonly epoch: number;
  /** Null while no worker holds it. */
  readonly expiresAt: number | null;
}

const LEASE_MS = 15_000;

/** Measures how long an issue stood still between the last renewal of a lease that expired and the next claim. */
export interface Resumptions {
  see(leases: readonly SampledLease[], now: number): void;
  /** One for each lease that was left to expire and claimed again; in milliseconds. */
  readonly stoodStillMs: readonly number[];
}

export function watchResumptions(): Resumptions {
  const held = new Map<string, { epoch: number; expiresAt: number }>();
  const stoodStillMs: number[] = [];
  return {
    stoodStillMs,
    see(leases, now) {
      for (const { issueId, epoch, expiresAt } of leases) {
        const before = held.get(issueId);
        if (expiresAt === null) {
          // Released in order: nothing was left to expire.
          if (before !== undefined && before.expiresAt > now) held.delete(issueId);
          continue;
        }
        const isClaimed = before !== undefined && epoch > before.epoch;
        if (isClaimed && before.expiresAt <= now) stoodStillMs.push(now - (before.expiresAt - LEASE_MS));
        held.set(issueId, { epoch, expiresAt });
      }
    },
  };
}
