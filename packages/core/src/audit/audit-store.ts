import type { UserId } from '../id/id.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type { AuditEntry, InstallationAct, InstallationEntry } from './audit-catalog.ts';

/** The audit log. Entries are written with the change that they describe (`NewAuditEntry`) and never changed or deleted. */
export interface AuditStore {
  /** The entries of one account, newest first. */
  list(userId: UserId, page: PageRequest): Promise<Page<AuditEntry>>;
  /** The entries of all accounts and of the installation, newest first. */
  listAll(page: PageRequest): Promise<Page<AuditEntry | InstallationEntry>>;
  /** Writes an entry for an act of the operator that changes no stored data. */
  note(act: InstallationAct): Promise<void>;
}
