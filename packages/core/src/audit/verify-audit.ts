import type { AuditHead } from './audit-head.ts';
import type { AuditKeys, AuditRow, AuditSeal, AuditSealStore } from './audit-seal.ts';
import { type AuditVerdict, createAuditVerifier } from './audit-verifier.ts';

/** A part of the history of the audit log, in its order: each seal, and after it the entries that it covers. */
export type AuditRecord =
  | { readonly type: 'seal'; readonly seal: AuditSeal }
  | { readonly type: 'entry'; readonly row: AuditRow };

const PAGE = 500;

/**
 * Checks a history against its seals.
 *
 * @param head read before the history, which may grow meanwhile
 */
export async function verifyAudit(
  records: AsyncIterable<AuditRecord>,
  { keys, head }: { readonly keys: AuditKeys; readonly head: AuditHead | null },
): Promise<AuditVerdict> {
  const verifier = createAuditVerifier(keys, head);
  for await (const record of records) {
    if (record.type === 'seal') verifier.seal(record.seal);
    else verifier.entry(record.row);
  }
  return verifier.end();
}

/**
 * The history as the database has it, a page of rows at a time. Seals that are made meanwhile are left out, since what they
 * cover may have been read too early; their entries count as not sealed yet.
 */
export async function* auditRecords(store: Omit<AuditSealStore, 'add' | 'settled'>): AsyncGenerator<AuditRecord> {
  const end = (await store.last())?.number ?? 0;
  const entries = pagesOf(
    (after) => store.entries({ after, limit: PAGE }),
    (row) => row.ordinal,
  );
  const seals = pagesOf(
    (after) => store.seals({ after, limit: PAGE }),
    (seal) => seal.number,
  );
  let next = await entries.next();
  for await (const seal of seals) {
    if (seal.number > end) break;
    yield { type: 'seal', seal };
    while (next.done !== true && !(next.value.ordinal > seal.toOrdinal)) {
      yield { type: 'entry', row: next.value };
      next = await entries.next();
    }
  }
  while (next.done !== true) {
    yield { type: 'entry', row: next.value };
    next = await entries.next();
  }
}

async function* pagesOf<Row>(
  read: (after: number | null) => Promise<readonly Row[]>,
  placeOf: (row: Row) => number,
): AsyncGenerator<Row, undefined> {
  let after: number | null = null;
  for (;;) {
    const rows: readonly Row[] = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return undefined;
    after = placeOf(last);
  }
}
