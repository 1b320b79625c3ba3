import { randomBytes } from 'node:crypto';
import type { Clock } from '@sluice/core/async';
import type { HostUser } from './host-user.ts';

export interface HostToken {
  readonly value: string;
  readonly user: HostUser;
  /** Null: not limited by scopes, as the tokens that expire are not. */
  readonly scopes: readonly string[] | null;
  readonly expiresAt: Date | null;
  readonly refresh: { readonly value: string; readonly expiresAt: Date } | null;
  revoked: boolean;
}

export interface TokenBookOptions {
  readonly clock: Clock;
  /** Null: tokens live until they are revoked. */
  readonly expiry: { readonly accessSeconds: number; readonly refreshSeconds: number } | null;
  /** Makes a secret of that kind. */
  readonly mint: (prefix: string) => string;
}

/** The tokens that the host has issued. */
export interface TokenBook {
  readonly expires: boolean;
  issue(user: HostUser, scopes: readonly string[]): HostToken;
  /** The live token of that value. */
  find(value: string): HostToken | null;
  /** Trades a refresh token, once; the access token that came with it ends too. */
  refresh(value: string): HostToken | null;
  revoke(value: string): boolean;
  revokeAll(user: HostUser): void;
  /** Every secret ever given out, for a test that looks for them where they must not be. */
  secrets(): readonly string[];
}

export function mintSecret(prefix: string): string {
  return `${prefix}${randomBytes(18).toString('hex')}`;
}

export function openTokenBook({ clock, expiry, mint }: TokenBookOptions): TokenBook {
  const tokens: HostToken[] = [];
  const after = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);
  const isLive = (token: HostToken) => !token.revoked && (token.expiresAt === null || token.expiresAt > clock.now());
  const book: TokenBook = {
    expires: expiry !== null,
    issue: (user, scopes) => {
      const token: HostToken = {
        value: mint(expiry === null ? 'gho_' : 'ghu_'),
        user,
        scopes: expiry === null ? scopes : null,
        expiresAt: expiry === null ? null : after(expiry.accessSeconds),
        refresh: expiry === null ? null : { value: mint('ghr_'), expiresAt: after(expiry.refreshSeconds) },
        revoked: false,
      };
      tokens.push(token);
      return token;
    },
    find: (value) => tokens.find((token) => token.value === value && isLive(token)) ?? null,
    refresh: (value) => {
      const old = tokens.find((token) => token.refresh?.value === value && !token.revoked);
      if (old?.refresh == null || old.refresh.expiresAt <= clock.now()) return null;
      old.revoked = true;
      return book.issue(old.user, old.scopes ?? []);
    },
    revoke: (value) => {
      const token = book.find(value);
      if (token !== null) token.revoked = true;
      return token !== null;
    },
    revokeAll: (user) => {
      for (const token of tokens) if (token.user === user) token.revoked = true;
    },
    secrets: () => tokens.flatMap(({ value, refresh }) => (refresh === null ? [value] : [value, refresh.value])),
  };
  return book;
}
