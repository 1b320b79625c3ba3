import type { Clock } from '../async/clock.ts';
import { type AuditHead, type AuditHeadKeeper, headOf } from './audit-head.ts';
import {
  type AuditKeys,
  type AuditSeal,
  type AuditSealStore,
  createDigest,
  isGenuine,
  linkOf,
  sealed,
} from './audit-seal.ts';

/** Seals what was added to the audit log. */
export interface AuditSealer {
  /** Seals the settled entries after the last seal. Any number of processes may, at the same time. */
  run(): Promise<void>;
}

export interface AuditSealerDeps {
  readonly store: AuditSealStore;
  readonly keys: AuditKeys;
  readonly heads: AuditHeadKeeper;
  readonly clock: Clock;
  /** Called for each seal that this process has made. */
  readonly onSealed: (seal: AuditSeal) => void;
  /** Called with a sentence when it seals nothing, because the log is not the one that was sealed. */
  readonly onRefused: (why: string) => void;
}

const ENTRIES = 500; // what a finding of the verification is narrowed down to
const SEALS_PER_RUN = 20; // a stopping worker does not wait long
const ADVICE =
  'Nothing is sealed until an operator has looked at it: "sluice admin audit --verify" shows what is missing, and "sluice admin audit --acknowledge" goes on from here, for example after a restore.';

export function createAuditSealer(deps: AuditSealerDeps): AuditSealer {
  return {
    async run() {
      const { store, heads } = deps;
      let known: AuditHead | null;
      try {
        known = await heads.read(); // before the database: another process may move both on
      } catch (error) {
        deps.onRefused(`The kept head of the audit log cannot be read (${(error as Error).message}). ${ADVICE}`);
        return;
      }
      const last = await store.last();
      const fault = await faultOf(deps, { known, last });
      if (fault !== null) {
        deps.onRefused(`${fault} ${ADVICE}`);
        return;
      }
      if (last !== null && (known?.number ?? 0) < last.number) await heads.write(headOf(last));
      await sealAll(deps, { last, seals: SEALS_PER_RUN });
    },
  };
}

/** The reason for which this is not the log that was sealed. Null if it is. */
async function faultOf(
  { store, keys }: Pick<AuditSealerDeps, 'store' | 'keys'>,
  { known, last }: { known: AuditHead | null; last: AuditSeal | null },
): Promise<string | null> {
  if (known !== null && known.number > (last?.number ?? 0))
    return `The audit log in the database ends at seal ${last?.number ?? 0}, and seal ${known.number} was made at ${known.sealed_at}.`;
  if (last === null) return null;
  const isKnown = known?.number === last.number && known.hash === linkOf(last);
  const key = keys.find(last.keyId);
  if (key === null && !isKnown)
    return `Seal ${last.number} of the audit log was made with the key "${last.keyId}", which is not among ENCRYPTION_KEYS.`;
  if (key !== null && !isGenuine(last, key))
    return `Seal ${last.number} of the audit log was not made with the key that it names.`;
  if (known === null || isKnown) return null;
  const [next] = await store.seals({ after: known.number - 1, limit: 1 });
  if (next === undefined) return null;
  // If not under its number, then in a gap that a later seal has signed.
  const isThere = next.number === known.number ? known.hash === linkOf(next) : next.previousNumber < known.number;
  return isThere ? null : `Seal ${known.number} of the audit log is not the one that was made at ${known.sealed_at}.`;
}

/** @returns the last seal, of whichever process */
async function sealAll(
  deps: AuditSealerDeps,
  { last: from, seals }: { last: AuditSeal | null; seals: number },
): Promise<AuditSeal | null> {
  let last = from;
  for (let made = 0; made < seals; made += 1) {
    const next = await sealNext(deps, { last, number: (last?.number ?? 0) + 1, even: 'with entries' });
    if (next === null) break;
    last = next;
  }
  return last;
}

/** @returns null when there is nothing to seal, or another process was faster */
async function sealNext(
  { store, keys, heads, clock, onSealed }: AuditSealerDeps,
  { last, number, even }: { last: AuditSeal | null; number: number; even: 'with entries' | 'without entries' },
): Promise<AuditSeal | null> {
  const after = last?.toOrdinal ?? 0;
  const settled = await store.settled();
  const rows = (await store.entries({ after, limit: ENTRIES })).filter(({ ordinal }) => ordinal <= settled);
  // The first seal of a new key vouches for those of the old one, which can be taken out then.
  const isOfNewKey = last !== null && last.keyId !== keys.current.id;
  if (rows.length === 0 && !isOfNewKey && even === 'with entries') return null;
  const digest = createDigest();
  for (const row of rows) digest.add(row);
  const content = {
    number,
    previousNumber: last?.number ?? 0,
    previous: last === null ? null : linkOf(last),
    fromOrdinal: after + 1,
    toOrdinal: rows.at(-1)?.ordinal ?? after,
    entries: rows.length,
    total: (last?.total ?? 0) + rows.length,
    digest: digest.end(),
    keyId: keys.current.id,
    sealedAt: clock.now(),
  };
  const seal = sealed(content, keys.current);
  if (!(await store.add(seal))) return null;
  await heads.write(headOf(seal));
  onSealed(seal);
  return seal;
}

const TRIES = 5;

/**
 * Goes on from what the database holds now, though it is not what was sealed last: it was put back from a copy. The new
 * seal's number is above that of every seal known, so that the gap before it says for good, signed, which seals are missing
 * on purpose. The entry that records the act must have been written.
 */
export async function acknowledgeAudit(deps: AuditSealerDeps, known: AuditHead | null): Promise<AuditSeal> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const last = await deps.store.last();
    const number = Math.max(known?.number ?? 0, last?.number ?? 0) + 1;
    const seal = await sealNext(deps, { last, number, even: 'without entries' });
    if (seal !== null) return (await sealAll(deps, { last: seal, seals: Number.POSITIVE_INFINITY })) ?? seal;
  }
  throw new Error('Other processes seal the audit log all the time: try again.');
}
