import * as z from 'zod';
import { type AuditSeal, linkOf } from './audit-seal.ts';

/** The last seal as it is kept outside the database: with it, entries that are cut off at the end are found. */
export const auditHead = z.object({
  format: z.literal(1),
  number: z.int().positive(),
  /** The hash of the whole seal, which the next seal holds. */
  hash: z.string().min(1),
  key: z.string(),
  to_ordinal: z.int().nonnegative(),
  entries: z.int().nonnegative(),
  sealed_at: z.iso.datetime(),
});
export type AuditHead = z.infer<typeof auditHead>;

/** Keeps the newest head outside the database. */
export interface AuditHeadKeeper {
  /** @throws Error when what is kept cannot be read */
  read(): Promise<AuditHead | null>;
  write(head: AuditHead): Promise<void>;
}

export function headOf(seal: AuditSeal): AuditHead {
  return {
    format: 1,
    number: seal.number,
    hash: linkOf(seal),
    key: seal.keyId,
    to_ordinal: seal.toOrdinal,
    entries: seal.total,
    sealed_at: seal.sealedAt.toISOString(),
  };
}
