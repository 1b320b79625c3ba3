import type { RoleNeeded } from '../access/role-needed.ts';
import type { RepoId, UserId } from '../id/id.ts';
import type { ResponseToStore } from '../request/idempotency-store.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type {
  AuditAct,
  AuditActor,
  AuditEntry,
  InstallationAct,
  InstallationEntry,
  NewAuditEntry,
} from './audit-catalog.ts';
import type { AuditFilter } from './audit-line.ts';

/** Who asked for a command: the account that it is done for, and the user or operator who does it. */
export interface Initiator {
  readonly userId: UserId;
  readonly actor: AuditActor;
}

/**
 * The audit entry of a command's write. A command that a person can ask for requires its initiator, so none can be
 * written without an entry. What the service does by itself has none: the events are its record. Only an inherited
 * approval has one, as it stands for a person's decision.
 *
 * @param needs the role that a user must still have when the write is carried out
 */
export function auditEntry(by: Initiator, act: AuditAct, needs?: RoleNeeded): NewAuditEntry;
export function auditEntry(by: Initiator | 'service', act: AuditAct, needs?: RoleNeeded): NewAuditEntry | undefined;
export function auditEntry(by: Initiator | 'service', act: AuditAct, needs?: RoleNeeded): NewAuditEntry | undefined {
  if (by === 'service') return undefined;
  const entry = { userId: by.userId, actor: by.actor, act };
  return needs === undefined ? entry : { ...entry, needs };
}

/** What the write that creates something also writes in its transaction. */
export interface WrittenWith<Created> {
  readonly audit?: NewAuditEntry | undefined;
  /** Set where the request has an idempotency key. */
  readonly response?: ResponseToStore<Created> | undefined;
}

/**
 * A store whose writes require the audit entry that is optional elsewhere: the last parameter, or the member `audit` of one.
 * For code that acts for a person.
 */
export type Audited<Store> = {
  readonly [Name in keyof Store]: Store[Name] extends (...args: infer Args) => infer Result
    ? (...args: AuditedArgs<Required<Args>>) => Result
    : Store[Name];
};

type AuditedArgs<Args extends readonly unknown[]> = {
  [At in keyof Args]: 'audit' extends keyof Args[At]
    ? Args[At] & { readonly audit: NonNullable<Args[At]['audit']> }
    : Args[At];
};

/** An entry as an operator sees it, with its place in the log. */
export type Numbered<Entry> = Entry & { readonly ordinal: number; readonly repoId: RepoId | null };

/** The audit log. Entries are written with the change that they describe (`NewAuditEntry`) and never changed or deleted. */
export interface AuditStore {
  /** The entries of one account, newest first. */
  list(userId: UserId, page: PageRequest): Promise<Page<AuditEntry>>;
  /** The entries about one repository and its issues, newest first. */
  listOfRepo(repoId: RepoId, page: PageRequest): Promise<Page<AuditEntry>>;
  /** The entries of all accounts and of the installation, newest first. */
  listAll(page: PageRequest, filter?: AuditFilter): Promise<Page<Numbered<AuditEntry | InstallationEntry>>>;
  /** Writes an entry for an act of the operator that changes no stored data. */
  note(act: InstallationAct): Promise<void>;
}
