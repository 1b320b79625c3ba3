/** Who signed in, as an OpenID provider says. */
export interface OidcAccount {
  readonly issuer: string;
  /** Identifies the account at its issuer, whatever its e-mail or name. */
  readonly subject: string;
  /** Only one that the provider has verified. */
  readonly email: string | null;
  readonly name: string | null;
}

export interface OidcSignIn {
  readonly account: OidcAccount;
  readonly groups: readonly string[];
  /** The provider's id of its session, which its logout may name. */
  readonly sid: string | null;
}

interface OidcRequest {
  readonly state: string;
  readonly nonce: string;
  /** Base64url of the SHA-256 of the code verifier. */
  readonly codeChallenge: string;
  readonly redirectUri: string;
  readonly signal: AbortSignal;
}

/** How the browser came back, and what it must fit. */
export interface OidcReturn {
  readonly callback: URLSearchParams;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly signal: AbortSignal;
}

/** A logout at the provider, of one session or of all sessions of an account. */
export interface OidcLogout {
  readonly issuer: string;
  readonly subject: string | null;
  readonly sid: string | null;
  /** The id of the logout token, which counts once. */
  readonly tokenId: string;
  /** When the token may be forgotten. */
  readonly expiresAt: Date;
}

/** An OpenID provider: authorization code with PKCE, and logout. */
export interface OidcProvider {
  /** The id in the addresses of this service. */
  readonly id: string;
  readonly name: string;
  /** Without slashes at its end, as accounts are stored. */
  readonly issuer: string;
  /** @throws AppError `oidc_unavailable` */
  authorizationUrl(request: OidcRequest): Promise<string>;
  /**
   * Exchanges the code and checks what it brings.
   *
   * @throws AppError `oidc_state_invalid`, `oidc_denied`, `oidc_token_invalid`, `oidc_unavailable`
   */
  exchange(returned: OidcReturn): Promise<OidcSignIn>;
  /** @throws AppError `oidc_logout_token_invalid`, `oidc_unavailable` */
  readLogoutToken(token: string, signal: AbortSignal): Promise<OidcLogout>;
  /** The URL at which a browser ends its session at the provider; null where the provider has no such page. */
  endSessionUrl(returnTo: string, signal: AbortSignal): Promise<string | null>;
}
