import { type Clock, untilAborted } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import type { HostResolver } from '@sluice/core/network';
import type { OidcAccount, OidcProvider, OidcReturn } from '@sluice/core/oidc';
import { authorizationCodeGrant, buildAuthorizationUrl, buildEndSessionUrl, fetchUserInfo } from 'openid-client';
import { type Discovered, discoverProvider, type OidcClient } from './discover-provider.ts';
import { logoutFailure, readLogoutToken } from './logout-token.ts';
import { oidcFailure } from './oidc-failure.ts';
import { type FetchRules, requireAllowed } from './provider-fetch.ts';

export interface OidcProviderOptions {
  readonly client: OidcClient;
  readonly clock: Clock;
  /** Whether hosts beside the issuer's may have private addresses: ALLOW_PRIVATE_HOSTS. */
  readonly allowPrivateHosts: boolean;
  /** The timeout of each request; default 10 s, because a user is looking at an empty page. */
  readonly timeoutMs?: number;
  readonly hosts: HostResolver;
  /** How often keys may be asked for again because of one that is not known; default 30 s. */
  readonly keyCooldownMs?: number;
}

const TIMEOUT_MS = 10_000;
const KEY_COOLDOWN_MS = 30_000;
const DOCUMENT_MS = 3_600_000; // providers change their addresses rarely

/** Signs in at an OpenID provider: discovery, authorization code, PKCE S256. */
export function createOidcProvider(options: OidcProviderOptions): OidcProvider {
  const { client, clock, keyCooldownMs = KEY_COOLDOWN_MS, timeoutMs = TIMEOUT_MS } = options;
  const { issuer } = client;
  const name = issuer.href.replace(/\/+$/, '');
  const rules: FetchRules = { ...options, issuer, timeoutMs };
  let known: { readonly discovered: Discovered; readonly until: number } | null = null;
  let asking: Promise<Discovered> | null = null;

  /** One request at a time, for all who wait: it does not end with one of them. */
  async function discovered(signal: AbortSignal): Promise<Discovered> {
    if (known !== null && known.until > clock.now().getTime()) return known.discovered;
    asking ??= discover().finally(() => {
      asking = null;
    });
    return await untilAborted(asking, signal);
  }

  async function discover(): Promise<Discovered> {
    try {
      const found = await discoverProvider({ client, rules, clock, keyCooldownMs });
      known = { discovered: found, until: clock.now().getTime() + DOCUMENT_MS };
      return found;
    } catch (error) {
      if (known !== null) return known.discovered; // an old document is better than no sign-in
      throw oidcFailure(error, client.name, 'oidc_unavailable');
    }
  }

  async function claimsOf(returned: OidcReturn): Promise<Readonly<Record<string, unknown>>> {
    const { callback, state, nonce, codeVerifier, redirectUri, signal } = returned;
    const { metadata, configuration, verify } = await discovered(signal);
    const client = configuration(signal);
    const url = new URL(redirectUri);
    url.search = callback.toString();
    const tokens = await authorizationCodeGrant(client, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    // The library compares the claims and trusts the connection for the signature. That is checked here too.
    const claims = await verify(tokens.id_token ?? '');
    const isWhole = claims.email !== undefined && claims[options.client.groupsClaim] !== undefined;
    if (isWhole || metadata.userinfo_endpoint === undefined) return claims;
    return { ...(await fetchUserInfo(client, tokens.access_token, claims.sub ?? '')), ...claims };
  }

  /** @throws AppError `oidc_state_invalid`: a response that does not fit what was asked is of somebody else */
  function requireFitting({ callback, state }: OidcReturn, metadata: Discovered['metadata']): void {
    const isSingle = ['code', 'state', 'iss', 'error'].every((one) => callback.getAll(one).length <= 1);
    const given = callback.get('iss');
    const needsIssuer = metadata.authorization_response_iss_parameter_supported === true;
    const isIssuer = given === null ? !needsIssuer : given === metadata.issuer;
    const isAnswer = callback.has('code') !== callback.has('error');
    if (!isSingle || !isIssuer || !isAnswer || callback.get('state') !== state) {
      throw new AppError('oidc_state_invalid');
    }
  }

  return {
    id: client.id,
    name: client.name,
    issuer: name,
    authorizationUrl: async ({ state, nonce, codeChallenge, redirectUri, signal }) => {
      const { configuration } = await discovered(signal);
      return buildAuthorizationUrl(configuration(signal), {
        redirect_uri: redirectUri,
        scope: client.scopes.join(' '),
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }).href;
    },
    exchange: async (returned) => {
      try {
        requireFitting(returned, (await discovered(returned.signal)).metadata);
        const claims = await claimsOf(returned);
        const { sid } = claims;
        return {
          account: accountOf(claims, name),
          groups: groupsOf(claims[client.groupsClaim]),
          sid: typeof sid === 'string' && sid !== '' ? sid : null,
        };
      } catch (error) {
        returned.signal.throwIfAborted();
        throw oidcFailure(error, client.name, 'oidc_token_invalid');
      }
    },
    readLogoutToken: async (token, signal) => {
      try {
        const { verify } = await discovered(signal);
        return { ...(await readLogoutToken(token, { verify, now: clock.now() })), issuer: name };
      } catch (error) {
        signal.throwIfAborted();
        throw logoutFailure(error);
      }
    },
    endSessionUrl: async (returnTo, signal) => {
      const { metadata, configuration } = await discovered(signal);
      const { end_session_endpoint: page } = metadata;
      if (page === undefined || !URL.canParse(page)) return null;
      requireAllowed(rules, new URL(page));
      return buildEndSessionUrl(configuration(signal), { post_logout_redirect_uri: returnTo }).href;
    },
  };
}

type Claims = Readonly<Record<string, unknown>>;

const MAX_SUBJECT = 255; // OpenID Connect Core 2
const MAX_EMAIL = 254;
const MAX_NAME = 100;
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/**
 * The account that the claims are about. An e-mail counts only where the provider says that it has verified it.
 *
 * @throws AppError `oidc_token_invalid` without a usable subject
 */
function accountOf(claims: Claims, issuer: string): OidcAccount {
  const { sub, email, email_verified: isVerified } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT) {
    throw new AppError('oidc_token_invalid', { detail: 'The ID token names no usable subject.' });
  }
  const isUsable = isVerified === true && typeof email === 'string' && email.length <= MAX_EMAIL && EMAIL.test(email);
  return { issuer, subject: sub, email: isUsable ? email.toLowerCase() : null, name: nameOf(claims) };
}

function nameOf({ name, preferred_username: username }: Claims): string | null {
  for (const given of [name, username]) {
    if (typeof given !== 'string') continue;
    const line = given.replaceAll(/\p{Cc}+/gu, ' ').trim();
    if (line !== '') return [...line].slice(0, MAX_NAME).join('');
  }
  return null;
}

/** The groups in a claim: a list of names, or one name. */
function groupsOf(claim: unknown): string[] {
  const given = Array.isArray(claim) ? claim : [claim];
  return given.filter((group): group is string => typeof group === 'string' && group !== '');
}
