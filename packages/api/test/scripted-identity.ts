import { createHash } from 'node:crypto';
import type { CodeHostAccount, CodeHostGrant, CodeHostIdentity } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';

export interface ScriptedIdentity extends CodeHostIdentity {
  /** The exchanges, with the address that the browser came back to. */
  readonly exchanges: { redirectUri: string; callback: string }[];
  readonly revoked: string[];
  /** Every token given out. */
  readonly tokens: string[];
  /** Thrown at the next exchange or revocation. */
  fail(error: unknown): void;
  /** Signs in at an authorization URL. @returns the callback's path and query */
  walk(authorizationUrl: string, account: CodeHostAccount | null): string;
}

/** A code host with PKCE and single-use codes that never asks for consent. */
export function scriptedIdentity(): ScriptedIdentity {
  const codes = new Map<string, { account: CodeHostAccount; challenge: string; redirectUri: string }>();
  const failures: unknown[] = [];
  const identity: ScriptedIdentity = {
    exchanges: [],
    revoked: [],
    tokens: [],
    fail: (error) => void failures.push(error),
    walk: (authorizationUrl, account) => {
      const asked = new URL(authorizationUrl).searchParams;
      const back = new URL(asked.get('redirect_uri') ?? '');
      const code = `code-${codes.size}`;
      const challenge = asked.get('challenge') ?? '';
      if (account === null) back.searchParams.set('error', 'access_denied');
      else {
        codes.set(code, { account, challenge, redirectUri: back.href });
        back.searchParams.set('code', code);
      }
      back.searchParams.set('state', asked.get('state') ?? '');
      return back.pathname + back.search;
    },
    authorizationUrl: ({ state, codeChallenge, redirectUri }) =>
      `https://codehost.example.test/authorize?${new URLSearchParams({ state, challenge: codeChallenge, redirect_uri: redirectUri })}`,
    exchange: async ({ callback, state, codeVerifier, redirectUri }) => {
      identity.exchanges.push({ redirectUri, callback: callback.toString() });
      if (failures.length > 0) throw failures.shift();
      if (callback.get('state') !== state) throw new AppError('codehost_state_invalid');
      if (callback.get('error') === 'access_denied') throw new AppError('codehost_denied');
      const given = codes.get(callback.get('code') ?? '');
      codes.delete(callback.get('code') ?? '');
      const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
      if (given?.challenge !== challenge || given.redirectUri !== redirectUri) {
        throw new AppError('codehost_state_invalid');
      }
      const grant: CodeHostGrant = {
        accessToken: `token-canary-${identity.tokens.length}`,
        refreshToken: null,
        expiresAt: null,
      };
      identity.tokens.push(grant.accessToken);
      return { account: given.account, grant };
    },
    refresh: async () => {
      throw new AppError('codehost_relink_needed');
    },
    revoke: async (token) => {
      identity.revoked.push(token);
      if (failures.length > 0) throw failures.shift();
    },
  };
  return identity;
}
