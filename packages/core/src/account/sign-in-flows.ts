import type { UserId } from '../id/id.ts';

/** A sign-in at another service in progress. It can be consumed once, by any process. */
interface SignInFlow {
  readonly nonce: string;
  readonly expiresAt: Date;
}

/** The session of an OpenID provider in which a user signed in. */
export interface ProviderSession {
  readonly issuer: string;
  /** The provider's id of its session; null where it gives none. */
  readonly sid: string | null;
}

/** A one-time right to a session, for a program on the user's own machine. Only hashes are stored. */
export interface LoginGrant {
  readonly grantHash: string;
  /** Base64url of the SHA-256 of a secret of that program. */
  readonly challenge: string;
  readonly userId: UserId;
  /** Null after a sign-in at the code host. */
  readonly provider: ProviderSession | null;
  readonly expiresAt: Date;
}

/** Sign-ins at other services that are under way. */
export interface SignInFlowStore {
  beginFlow(flow: SignInFlow): Promise<void>;
  /** False when unknown, expired or already consumed. */
  consumeFlow(nonce: string): Promise<boolean>;
  putLoginGrant(grant: LoginGrant): Promise<void>;
  /** The live grant with that hash, once; null after that. */
  takeLoginGrant(grantHash: string): Promise<LoginGrant | null>;
}

/** The ways to log in that would be left to a user who unlinks an account. */
export interface LoginWays {
  readonly passwords: boolean;
  readonly codehost: boolean;
  /** The issuers of OpenID providers. */
  readonly issuers: readonly string[];
}
