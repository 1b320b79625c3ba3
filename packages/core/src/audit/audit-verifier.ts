import type { AuditHead } from './audit-head.ts';
import { type AuditKeys, type AuditRow, type AuditSeal, createDigest, isGenuine, linkOf } from './audit-seal.ts';

const kinds = [
  'entries_changed',
  'entries_removed',
  'entries_inserted',
  'entries_unordered',
  'seal_changed',
  'seals_removed',
  'cut_off',
  'head_differs',
  'key_missing',
] as const;

/** A place where the log is not the one that was sealed. */
export interface AuditFinding {
  readonly kind: (typeof kinds)[number];
  /** The first ordinal that is concerned. */
  readonly from: number;
  /** The last one. */
  readonly to: number;
  /** A sentence. */
  readonly text: string;
}

export interface AuditVerdict {
  readonly entries: number;
  readonly seals: number;
  /** The last seal, or null where nothing has been sealed. */
  readonly last: AuditSeal | null;
  /** The entries after it. */
  readonly unsealed: { readonly entries: number; readonly since: string | null };
  /** Seals that are missing on purpose, which a later seal says: the database was put back from a copy. */
  readonly putBack: readonly { readonly from: number; readonly to: number; readonly at: Date }[];
  readonly findings: readonly AuditFinding[];
  /** How many findings are left out above, after the first ones. */
  readonly more: number;
}

/** Takes each seal, followed by the entries of its range, in their order; at the end the entries after the last seal. */
export interface AuditVerifier {
  seal(seal: AuditSeal): void;
  entry(row: AuditRow): void;
  end(): AuditVerdict;
}

const MAX_FINDINGS = 1_000; // the history of a large installation may have been replaced as a whole

interface OpenSeal {
  readonly seal: AuditSeal;
  readonly digest: ReturnType<typeof createDigest>;
  entries: number;
}

/** Checks a history as it passes, in constant memory. */
export function createAuditVerifier(keys: AuditKeys, head: AuditHead | null): AuditVerifier {
  const findings: AuditFinding[] = [];
  const putBack: { from: number; to: number; at: Date }[] = [];
  let more = 0;
  let seals = 0;
  let entries = 0;
  let open: OpenSeal | null = null;
  let last: AuditSeal | null = null;
  let lastOrdinal = Number.NEGATIVE_INFINITY;
  /** The first seal of those at the end that no available key vouches for. */
  let unchecked: AuditSeal | null = null;
  let isHeadThere = head === null;
  let strays: { from: number; to: number; count: number } | null = null;
  let tail: { count: number; since: string | null } = { count: 0, since: null };

  function report(kind: AuditFinding['kind'], { from, to }: { from: number; to: number }, text: string): void {
    if (findings.length < MAX_FINDINGS) findings.push({ kind, from, to: Math.max(from, to), text });
    else more += 1;
  }

  function closeStrays(): void {
    if (strays === null) return;
    const { from, to, count } = strays;
    strays = null;
    report('entries_inserted', { from, to }, `${count} entries, ${rangeOf(from, to)}, are in no seal: inserted.`);
  }

  function close(): void {
    closeStrays();
    if (open === null) return;
    const { seal, digest, entries: found } = open;
    open = null;
    const place = { from: seal.fromOrdinal, to: seal.toOrdinal };
    const where = `${rangeOf(place.from, place.to)} (seal ${seal.number})`;
    if (found < seal.entries)
      report('entries_removed', place, `${seal.entries - found} of ${seal.entries} entries are missing, ${where}.`);
    else if (found > seal.entries)
      report('entries_inserted', place, `${found - seal.entries} entries are too many, ${where}.`);
    else if (digest.end() !== seal.digest)
      report('entries_changed', place, `Entries were changed, or took each other's place, ${where}.`);
  }

  function checkLinks(seal: AuditSeal): void {
    const place = { from: seal.fromOrdinal, to: Math.max(seal.toOrdinal, seal.fromOrdinal) };
    const key = keys.find(seal.keyId);
    const isSigned = key !== null && isGenuine(seal, key);
    if (key !== null && !isSigned) report('seal_changed', place, `Seal ${seal.number} was changed or inserted.`);
    const before = last?.number ?? 0;
    let isLinked = true;
    if (seal.previousNumber !== before) {
      isLinked = false;
      const gap = { from: (last?.toOrdinal ?? 0) + 1, to: seal.fromOrdinal - 1 };
      report('seals_removed', gap, `Seals between ${before} and ${seal.number} are missing.`);
    } else if (seal.previous !== (last === null ? null : linkOf(last))) {
      isLinked = false;
      const text = `Seal ${before} is not the one that seal ${seal.number} was made after: one of them was changed.`;
      report('seal_changed', last === null ? place : { from: last.fromOrdinal, to: place.to }, text);
    } else if (seal.fromOrdinal !== (last?.toOrdinal ?? 0) + 1) {
      report('seal_changed', place, `Seal ${seal.number} does not begin where the one before it ends.`);
    }
    if (seal.number <= before) report('seal_changed', place, `Seal ${seal.number} is out of order.`);
    if (isSigned && isLinked) unchecked = null;
    else if (key === null) unchecked ??= seal;
    if (isLinked && seal.number > before + 1) {
      putBack.push({ from: before + 1, to: seal.number - 1, at: seal.sealedAt });
      if (head !== null && head.number > before && head.number < seal.number) isHeadThere = true;
    }
    if (head?.number === seal.number && head.hash === linkOf(seal)) isHeadThere = true;
  }

  function checkHead(): void {
    if (head === null || isHeadThere) return;
    const to = Math.max(head.to_ordinal, last?.toOrdinal ?? 0);
    if (head.number <= (last?.number ?? 0)) {
      const text = `Seal ${head.number} is not the one of the kept head, which was made at ${head.sealed_at}: the history was replaced.`;
      report('head_differs', { from: 1, to }, text);
      return;
    }
    const end = last?.number ?? 0;
    const text = `The log is sealed up to seal ${end}, and the kept head is seal ${head.number} of ${head.sealed_at}: it was cut off. Sealed entries from ordinal ${(last?.toOrdinal ?? 0) + 1} to ${head.to_ordinal} are missing, or nothing vouches for them.`;
    report('cut_off', { from: (last?.toOrdinal ?? 0) + 1, to }, text);
  }

  return {
    seal(seal) {
      close();
      if (tail.count > 0) {
        // What looked like the end was followed by another seal.
        report('entries_inserted', { from: 1, to: lastOrdinal }, `${tail.count} entries are in no seal: inserted.`);
        tail = { count: 0, since: null };
      }
      checkLinks(seal);
      seals += 1;
      open = { seal, digest: createDigest(), entries: 0 };
      last = seal;
    },
    entry(row) {
      entries += 1;
      const { ordinal } = row;
      if (ordinal <= lastOrdinal)
        report('entries_unordered', { from: ordinal, to: lastOrdinal }, `Entry ${ordinal} is out of order.`);
      lastOrdinal = ordinal;
      if (open !== null && ordinal >= open.seal.fromOrdinal && ordinal <= open.seal.toOrdinal) {
        closeStrays();
        open.entries += 1;
        open.digest.add(row);
      } else if (ordinal < (open?.seal.fromOrdinal ?? 1)) {
        strays = { from: strays?.from ?? ordinal, to: ordinal, count: (strays?.count ?? 0) + 1 };
      } else {
        tail = { count: tail.count + 1, since: tail.since ?? String(row.at) };
      }
    },
    end() {
      close();
      checkHead();
      const from = unchecked as AuditSeal | null;
      if (from !== null) {
        const text = `Seals from ${from.number} on cannot be checked: the key "${from.keyId}" is not among ENCRYPTION_KEYS.`;
        report('key_missing', { from: from.fromOrdinal, to: lastOrdinal }, text);
      }
      return { entries, seals, last, unsealed: { entries: tail.count, since: tail.since }, putBack, findings, more };
    },
  };
}

function rangeOf(from: number, to: number): string {
  return from === to ? `ordinal ${from}` : `ordinals ${from} to ${to}`;
}
