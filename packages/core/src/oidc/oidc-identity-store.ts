import type { LoginWays } from '../account/sign-in-flows.ts';
import type { User } from '../account/user.ts';
import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { RepoId, SessionId, UserId } from '../id/id.ts';
import type { GroupGrants } from './group-grants.ts';
import type { OidcAccount, OidcLogout } from './oidc-provider.ts';

/** A user's account at an OpenID provider. */
interface OidcIdentity {
  readonly issuer: string;
  readonly linkedAt: Date;
  readonly lastSignInAt: Date;
}

export interface NewOidcUser {
  readonly id: UserId;
  /** The same as in `UserStore.create`. */
  readonly onlyIfFirst: boolean;
  /** Whether the first user becomes an operator. */
  readonly firstIsOperator: boolean;
  readonly audit?: NewAuditEntry;
}

/** What the groups gave, and what of it could not be given. */
interface Applied {
  readonly user: User;
  /** Repositories that do not exist here, or have as many members as they may. */
  readonly ungranted: readonly RepoId[];
  /** Whether a role or the operator's flag has changed. */
  readonly accessChanged: boolean;
}

type OidcSignInOutcome =
  | (Applied & { readonly kind: 'created' | 'matched' })
  /** No user has that account, and none is to be created. */
  | { readonly kind: 'closed' }
  /** Its user is disabled. Nothing was written. */
  | { readonly kind: 'disabled' };

type OidcLinkOutcome =
  | (Applied & { readonly kind: 'linked' })
  /** The account belongs to another user. */
  | { readonly kind: 'taken' }
  /** The user is already linked to another account of this provider. */
  | { readonly kind: 'linked_to_another' }
  | { readonly kind: 'absent' };

type OidcUnlinkOutcome = 'unlinked' | 'not_linked' | 'only_login';

/**
 * Users' accounts at OpenID providers, and the roles that their groups give. Memberships that an admin added stay as they are.
 * Each change of a role is written with an audit entry of the service.
 */
export interface OidcIdentityStore {
  /**
   * Finds the user by issuer and subject, never by e-mail, or creates one with the e-mail unless that is taken. Atomic: two
   * concurrent calls create one user.
   *
   * @param newUser null: do not create one
   */
  signIn(account: OidcAccount, grants: GroupGrants, newUser: NewOidcUser | null): Promise<OidcSignInOutcome>;
  /** Writes `audit` unless the account was already linked. */
  link(
    userId: UserId,
    account: OidcAccount,
    more: { grants: GroupGrants; audit?: NewAuditEntry },
  ): Promise<OidcLinkOutcome>;
  /** `only_login` when none of the other ways to log in is the user's. Takes what the groups gave. */
  unlink(
    identity: { readonly userId: UserId; readonly issuer: string },
    left: { readonly others: LoginWays; readonly grants: GroupGrants },
    audit?: NewAuditEntry,
  ): Promise<OidcUnlinkOutcome>;
  list(userId: UserId): Promise<readonly OidcIdentity[]>;
  /**
   * Ends the sessions that a logout at the provider means.
   *
   * @returns the sessions that it ended; null for a token that counted before
   */
  endSessions(logout: OidcLogout): Promise<readonly SessionId[] | null>;
}
