import type { UserId } from '../id/id.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type { AuditEntry, InstallationAct, InstallationEntry } from './audit-catalog.ts';

/** Who did what. An entry is part of the write that it tells of (`NewAuditEntry`), and none is ever changed or removed. */
export interface AuditStore {
  /** What was done in, and to, one account; newest first. */
  list(userId: UserId, page: PageRequest): Promise<Page<AuditEntry>>;
  /** What was done in all of them, and to the installation; newest first. */
  listAll(page: PageRequest): Promise<Page<AuditEntry | InstallationEntry>>;
  /** Writes down what the operator did where no write of a store could carry the entry. */
  note(act: InstallationAct): Promise<void>;
}
