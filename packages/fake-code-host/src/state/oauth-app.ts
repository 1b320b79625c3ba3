import type { HostUser } from './host-user.ts';
import type { HostToken } from './token-book.ts';

/** The application that is registered at the host: here, Sluice. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Compared letter by letter. */
  readonly redirectUris: string[];
  /** Whether redirects carry `iss` (RFC 9207). */
  readonly sendsIssuer: boolean;
  /** Whether somebody who said yes before is asked again. */
  readonly asksAlways: boolean;
  readonly codes: Map<string, OAuthCode>;
  /** Who said yes before. */
  readonly consents: Set<HostUser>;
  mint(prefix: string): string;
}

interface OAuthCode {
  readonly user: HostUser;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  /** The token that the code was traded for: it is revoked when the code comes a second time. */
  token: HostToken | null;
  used: boolean;
}

export const CODE_SECONDS = 600;
