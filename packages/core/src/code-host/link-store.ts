import type { SealedToken } from '../account/token-cipher.ts';
import type { User } from '../account/user.ts';
import type { InstallationAct, NewAuditEntry } from '../audit/audit-catalog.ts';
import type { IssueId, RepoId, UserId } from '../id/id.ts';
import type { Issue } from '../issue/issue.ts';
import type { Repo } from '../repo/repo.ts';
import type { ChangedSubject, ChangeRequestState, CodeHostAccount } from './code-host.ts';

/** A user's grant at the code host, at rest: sealed is the JSON of its tokens. */
export interface SealedGrant {
  readonly sealed: SealedToken;
  /** When the access token ends; null: never. */
  readonly expiresAt: Date | null;
}

/** A grant that comes with a link, which somebody made. */
export interface LinkedGrant extends SealedGrant {
  readonly audit?: NewAuditEntry;
}

export interface StoredGrant extends SealedGrant {
  /** Raised by every write, so that of two processes that refresh at the same time one wins. */
  readonly version: number;
  /** The host refused it: the user has to link his account anew. */
  readonly refused: boolean;
}

/** The grant in whose place another came, which nobody can use from here any more; null: there was none. */
interface Replacing {
  readonly replaced: SealedToken | null;
}

export type LinkOutcome =
  | (Replacing & { readonly kind: 'linked'; readonly user: User })
  /** The account belongs to another user. */
  | { readonly kind: 'taken' }
  /** The user is linked to another account already. */
  | { readonly kind: 'linked_to_another' }
  | { readonly kind: 'absent' };

export type SignInOutcome =
  | (Replacing & { readonly kind: 'created' | 'matched'; readonly user: User })
  /** Nobody has that account, and no user may be made. */
  | { readonly kind: 'closed' }
  /** The operator has disabled its user; nothing was written. */
  | { readonly kind: 'disabled' };

/** A sign-in under way. Each can be consumed once, on whichever process the browser comes back to. */
export interface CodeHostFlow {
  readonly nonce: string;
  readonly expiresAt: Date;
}

/** A one-time right to a session, for a program on the user's own machine. Only hashes are kept. */
export interface LoginGrant {
  readonly grantHash: string;
  /** Base64url of the SHA-256 of what only that program knows. */
  readonly challenge: string;
  readonly userId: UserId;
  readonly expiresAt: Date;
}

/** Users' accounts at the code host and their grants. */
export interface CodeHostLinkStore {
  /**
   * Finds the user by the account's id (never by e-mail or login), or makes one; keeps login, name where there is none,
   * picture, and the grant. One act: two at once make one user.
   *
   * @param grantOf told of the grant that this one takes the place of
   * @param newUser the id of the user to be made; `onlyIfFirst` as in `UserStore.create`; null: nobody new
   */
  signIn(
    account: CodeHostAccount,
    grantOf: (userId: UserId, replaced: SealedToken | null) => SealedGrant,
    newUser: { id: UserId; onlyIfFirst: boolean; audit?: NewAuditEntry } | null,
  ): Promise<SignInOutcome>;
  /** `audit` is written where the account was not linked before. */
  link(userId: UserId, account: CodeHostAccount, grant: LinkedGrant): Promise<LinkOutcome>;
  /** `only_login` when the user has no password: without the account he could not log in. Removes the grant. */
  unlink(userId: UserId, audit?: NewAuditEntry): Promise<'unlinked' | 'not_linked' | 'only_login'>;
  grant(userId: UserId): Promise<StoredGrant | null>;
  /** Replaces a grant that is still of `version`; false when somebody was faster. */
  replaceGrant(userId: UserId, version: number, grant: SealedGrant): Promise<boolean>;
  /** Marks it as refused if it is still of `version`. */
  refuseGrant(userId: UserId, version: number): Promise<void>;

  beginFlow(flow: CodeHostFlow): Promise<void>;
  /** False when unknown, expired or consumed already. */
  consumeFlow(nonce: string): Promise<boolean>;
  putLoginGrant(grant: LoginGrant): Promise<void>;
  /** The live grant of that hash, once; null ever after. */
  takeLoginGrant(grantHash: string): Promise<LoginGrant | null>;
}

/** A registration that cannot follow its host to another address yet, and what stands there. */
export interface BlockedMove {
  readonly repoId: RepoId;
  readonly userId: UserId;
  /** `registration`: its user has registered that address as well. `issue`: one of each address is in progress. */
  readonly by: { readonly kind: 'registration' | 'issue'; readonly id: string };
}

type SiteMoveOutcome =
  | { readonly kind: 'moved'; readonly from: string; readonly repos: number }
  /** Nothing was changed. */
  | { readonly kind: 'blocked'; readonly from: string; readonly blocked: readonly BlockedMove[] }
  /** The database is of no code host yet. */
  | { readonly kind: 'none' };

/** What was of a code host and is of none any more. */
interface ForgottenSite {
  /** Null when no server had kept one. */
  readonly origin: string | null;
  /** Whose accounts were linked there. */
  readonly users: readonly UserId[];
  readonly repos: number;
}

/**
 * Which code host the accounts, grants, registrations and marks of a database are of, by the web origin (`https://host`).
 * An account is its number at the host, and another host gives the same numbers to other people.
 */
export interface CodeHostSiteStore {
  /** Keeps `origin` where none was kept before. One act: of several at once all are answered the same. @returns what is kept */
  claim(origin: string): Promise<string>;
  /** Null where none is. */
  kept(): Promise<string | null>;
  /** The same host at another address: its registrations follow, all of them or none. */
  move(origin: string): Promise<SiteMoveOutcome>;
  /**
   * Unlinks every account, takes every grant, and forgets what was under way and what was seen there. Registrations stay
   * as plain remotes, which nobody's token is sent to. `audit` is written for each user who was linked.
   */
  forget(audit: (userId: UserId) => NewAuditEntry): Promise<ForgottenSite>;
}

/** Sealed secrets, row by row, for the rotation of keys. */
export interface SealedSecretStore {
  /** Up to `limit` secrets that are sealed under none of these: ids of keys, alone or with the form behind (`2026a:v2`). */
  sealedUnderOther(keys: readonly string[], limit: number): Promise<readonly SealedSecret[]>;
  /** Replaces one if it is still what `secret` says; false when it was changed meanwhile. `act` is written with it. */
  reseal(secret: SealedSecret, sealed: SealedToken, act?: InstallationAct): Promise<boolean>;
}

export interface SealedSecret {
  readonly kind: 'codehost_grant' | 'repo_access_token';
  /** The row: a user's id or a repository's. */
  readonly id: string;
  readonly userId: UserId;
  readonly sealed: SealedToken;
}

/** A changed subject that a worker has taken, and holds for a while. */
export interface ClaimedSubject extends ChangedSubject {
  /** Raised by every mark: what was marked again meanwhile stays marked. */
  readonly mark: number;
  /** Tries so far without success, this one not counted. */
  readonly failures: number;
}

/** What changed at the code host and has not been looked at. Marks of one subject are one row, so a burst is one look. */
export interface CodeHostInbox {
  /**
   * Notes a delivery and marks its subject, in one act.
   *
   * @returns false, and nothing is marked, when that delivery was noted before
   */
  deliver(deliveryId: string, subject: ChangedSubject | null): Promise<boolean>;
  mark(subjects: readonly ChangedSubject[]): Promise<void>;
  /** Takes marked subjects that are due, for `ttlMs`; two processes never hold the same one. */
  claim(owner: string, options: { limit: number; ttlMs: number }): Promise<readonly ClaimedSubject[]>;
  /** Looked at: unmarked, unless it was marked again meanwhile. */
  settle(owner: string, subject: ClaimedSubject): Promise<void>;
  /** To be looked at again, not before `retryInMs`. `failed` counts as a try without success. */
  defer(owner: string, subject: ClaimedSubject, retry: { retryInMs: number; failed: boolean }): Promise<void>;
  /**
   * Ends every hold; what was held counts as a try without success. For the only process on a database when it starts:
   * whoever held something is dead. @returns the holds that it ended
   */
  expireHolds(): Promise<number>;
  /** Forgets deliveries from before. */
  forgetDeliveries(before: Date): Promise<void>;
  /** Repositories at the code host that are due to be asked, for `ttlMs`; with the cursor of the last look. */
  claimPolls(
    owner: string,
    options: { everyMs: number; limit: number },
  ): Promise<readonly { readonly codehostRepoId: string; readonly cursor: string | null }[]>;
  savePoll(codehostRepoId: string, cursor: string): Promise<void>;
}

/** What an issue here was made from: the issue of that number, or what asked for a follow-up. */
export type CodeHostOrigin = { readonly number: number } | { readonly commentId: string };

/** Issues and repositories as the code host names them. */
export interface CodeHostIndex {
  /** Every registration of that repository at the code host, of whichever user that is not locked out, oldest first. */
  registrations(codehostRepoId: string): Promise<readonly Repo[]>;
  /** Of these registered ones, by the host's id. */
  registered(userId: UserId, codehostRepoIds: readonly string[]): Promise<ReadonlyMap<string, Repo['id']>>;
  imported(repoId: Repo['id'], numbers: readonly number[]): Promise<ReadonlyMap<number, IssueId>>;
  /** The issues of a registration that published to that pull request, oldest first: the first one, then its follow-ups. */
  byChangeRequest(repoId: Repo['id'], number: number): Promise<readonly Issue[]>;
  /** The follow-up that was made from that comment or review, or null. */
  followUpOf(repoId: Repo['id'], commentId: string): Promise<Issue | null>;
  /** Whether an issue from there was deleted for good here: it is not to come back by itself. */
  wasRemoved(repoId: Repo['id'], origin: CodeHostOrigin): Promise<boolean>;
  /** Writes the state on the issue where it differs, with its `change_request.updated` event. False when it is so already. */
  setChangeRequestState(issueId: IssueId, state: ChangeRequestState): Promise<boolean>;
  /**
   * Writes a pull request on an issue that had ended when it was opened, with its `change_request.updated` event. False,
   * and nothing written, where the issue has not ended or has one.
   */
  noteChangeRequest(
    issueId: IssueId,
    changeRequest: { readonly number: number; readonly url: string; readonly state: ChangeRequestState },
  ): Promise<boolean>;
}
