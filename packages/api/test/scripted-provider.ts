import { createHash } from 'node:crypto';
import { AppError } from '@sluice/core/error';
import type { OidcLogout, OidcProvider, OidcRules, OidcSignIn } from '@sluice/core/oidc';
import type { ConfiguredOidcProvider } from '../src/service/api-deps.ts';

/** What a person is at a provider. */
export interface AtProvider {
  readonly sub: string;
  readonly email?: string;
  readonly groups?: readonly string[];
  readonly sid?: string;
}

export interface ScriptedProvider extends ConfiguredOidcProvider {
  readonly provider: OidcProvider;
  rules: OidcRules;
  /** Thrown at the next call. */
  fail(error: unknown): void;
  /** Signs in at an authorization URL. @returns the callback's path and query */
  walk(authorizationUrl: string, who: AtProvider): string;
  /** A logout token. */
  logoutToken(logout: Partial<OidcLogout>): string;
}

const openRules: OidcRules = { allowedGroups: null, operatorGroups: [], repoRoles: [] };

/** A provider with PKCE, a nonce and single-use codes. Tokens and their attacks are the adapter's, and have their own tests. */
export function scriptedProvider(id = 'company', given: Partial<OidcRules> = {}): ScriptedProvider {
  const issuer = `https://${id}.example.test`;
  const codes = new Map<string, { who: AtProvider; challenge: string; nonce: string }>();
  const failures: unknown[] = [];
  const failing = () => {
    if (failures.length > 0) throw failures.shift();
  };
  const provider: OidcProvider = {
    id,
    name: `The ${id}`,
    issuer,
    authorizationUrl: async ({ state, nonce, codeChallenge, redirectUri }) => {
      failing();
      return `${issuer}/authorize?${new URLSearchParams({ state, nonce, challenge: codeChallenge, redirect_uri: redirectUri })}`;
    },
    exchange: async ({ callback, nonce, codeVerifier }): Promise<OidcSignIn> => {
      failing();
      const code = callback.get('code') ?? '';
      const found = codes.get(code);
      codes.delete(code);
      if (found?.challenge !== createHash('sha256').update(codeVerifier).digest('base64url')) {
        throw new AppError('oidc_state_invalid');
      }
      if (found.nonce !== nonce) throw new AppError('oidc_token_invalid');
      const { sub, email = null, groups = [], sid = null } = found.who;
      return { account: { issuer, subject: sub, email, name: sub }, groups, sid };
    },
    readLogoutToken: async (token) => {
      failing();
      if (!token.startsWith('logout:')) throw new AppError('oidc_logout_token_invalid');
      const { expiresAt, ...logout } = JSON.parse(token.slice(7));
      return { issuer, subject: null, sid: null, ...logout, expiresAt: new Date(expiresAt ?? Date.now() + 86_400_000) };
    },
    endSessionUrl: async (returnTo) => {
      failing();
      return `${issuer}/logout?back=${encodeURIComponent(returnTo)}`;
    },
  };
  return {
    provider,
    rules: { ...openRules, ...given },
    fail: (error) => void failures.push(error),
    walk: (authorizationUrl, who) => {
      const asked = new URL(authorizationUrl).searchParams;
      const back = new URL(asked.get('redirect_uri') ?? '');
      const code = `code-${codes.size}-${asked.get('nonce')}`;
      codes.set(code, { who, challenge: asked.get('challenge') ?? '', nonce: asked.get('nonce') ?? '' });
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state') ?? '');
      return back.pathname + back.search;
    },
    logoutToken: (logout) => `logout:${JSON.stringify({ tokenId: String(Math.random()), ...logout })}`,
  };
}
