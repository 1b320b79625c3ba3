import * as z from 'zod';
import type { AuditRow, AuditSeal } from './audit-seal.ts';
import type { AuditRecord } from './verify-audit.ts';

/** Which entries are wanted. */
export interface AuditFilter {
  readonly userId?: string;
  readonly repoId?: string;
  readonly action?: string;
  /** The earliest time. */
  readonly from?: Date;
  /** Before this time. */
  readonly to?: Date;
}

export function matchesAudit(row: AuditRow, { userId, repoId, action, from, to }: AuditFilter): boolean {
  const at = new Date(String(row.at));
  return (
    (userId === undefined || row.user_id === userId) &&
    (repoId === undefined || row.repo_id === repoId) &&
    (action === undefined || row.action === action) &&
    (from === undefined || at >= from) &&
    (to === undefined || at < to)
  );
}

/** A line of an export. */
export function printAuditLine(record: AuditRecord): string {
  if (record.type === 'entry') return JSON.stringify({ type: 'entry', ...record.row });
  const { seal } = record;
  const line: z.infer<typeof sealLine> = {
    type: 'seal',
    number: seal.number,
    previous_number: seal.previousNumber,
    previous: seal.previous,
    from_ordinal: seal.fromOrdinal,
    to_ordinal: seal.toOrdinal,
    entries: seal.entries,
    total: seal.total,
    digest: seal.digest,
    key: seal.keyId,
    sealed_at: seal.sealedAt.toISOString(),
    mac: seal.mac,
  };
  return JSON.stringify(line);
}

const sealLine = z.object({
  type: z.literal('seal'),
  number: z.number(),
  previous_number: z.number(),
  previous: z.string().nullable(),
  from_ordinal: z.number(),
  to_ordinal: z.number(),
  entries: z.number(),
  total: z.number(),
  digest: z.string(),
  key: z.string(),
  sealed_at: z.iso.datetime(),
  mac: z.string(),
});
const entryLine = z.looseObject({ type: z.literal('entry'), ordinal: z.number() });

/** Null for a line that no export has. */
export function parseAuditLine(text: string): AuditRecord | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const entry = entryLine.safeParse(json);
  if (entry.success) {
    const { type, ...row } = entry.data;
    return { type, row };
  }
  const line = sealLine.safeParse(json);
  return line.success ? { type: 'seal', seal: toSeal(line.data) } : null;
}

function toSeal(line: z.infer<typeof sealLine>): AuditSeal {
  return {
    number: line.number,
    previousNumber: line.previous_number,
    previous: line.previous,
    fromOrdinal: line.from_ordinal,
    toOrdinal: line.to_ordinal,
    entries: line.entries,
    total: line.total,
    digest: line.digest,
    keyId: line.key,
    sealedAt: new Date(line.sealed_at),
    mac: line.mac,
  };
}
