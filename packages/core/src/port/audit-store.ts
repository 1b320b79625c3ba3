import type { AuditEntry } from '../audit/audit-catalog.ts';
import type { UserId } from '../id.ts';
import type { Page, PageRequest } from '../page.ts';

/**
 * Who did what, to be read. Nothing is written here: an entry is part of the write that it tells of (`NewAuditEntry`),
 * and none is ever changed or removed.
 */
export interface AuditStore {
  /** What was done in, and to, one account, or in all of them when `userId` is null; newest first. */
  list(userId: UserId | null, page: PageRequest): Promise<Page<AuditEntry>>;
}
