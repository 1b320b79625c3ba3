import type { EncryptedToken, TokenCipher, TokenOwner } from '../account/token-cipher.ts';
import type { Clock } from '../async/clock.ts';
import { createSingleFlight } from '../async/single-flight.ts';
import { sleep } from '../async/sleep.ts';
import { untilAborted } from '../async/until-aborted.ts';
import { AppError } from '../error/app-error.ts';
import type { UserId } from '../id/id.ts';
import type { CodeHostCall, CodeHostGrant, CodeHostIdentity } from './code-host.ts';
import type { CodeHostLinkStore, EncryptedGrant, StoredGrant } from './link-store.ts';

const REFRESH_BEFORE_MS = 60_000; // a token must not expire during a call
const REFRESH_TIMEOUT_MS = 30_000; // longer than the host's own timeout
const REVOKE_TIMEOUT_MS = 5_000; // the caller waits, but does not depend on the result
const CONCURRENT_WRITE_MS = 3_000; // another process has its answer and only has to write it
const POLL_MS = 50;
const MAX_REPLACEMENTS = 2; // in one call; tokens last for hours

const UNREADABLE = 'Your token for the code host can no longer be decrypted. Link your account again.';

/** The users' tokens for the code host: decrypted for one call, refreshed when they expire. */
export interface CodeHostTokens {
  /**
   * The user's current token.
   *
   * @throws AppError `codehost_not_linked`, `codehost_relink_needed`, `codehost_unavailable`
   */
  of(userId: UserId, signal: AbortSignal): Promise<string>;
  /**
   * Calls the code host as the user. A refused token is recorded, so that later calls fail at once with the remedy. When the
   * token was replaced meanwhile, the work runs again, so its effects at the host must be idempotent.
   */
  callAsUser<T>(userId: UserId, signal: AbortSignal, work: (call: CodeHostCall) => Promise<T>): Promise<T>;
}

export interface CodeHostTokensContext {
  readonly links: Pick<CodeHostLinkStore, 'grant' | 'replaceGrant' | 'refuseGrant'>;
  readonly cipher: TokenCipher;
  readonly identity: Pick<CodeHostIdentity, 'refresh' | 'revoke'>;
  readonly clock: Clock;
}

interface GrantTokens {
  readonly access: string;
  readonly refresh: string | null;
}

/** A token with the version of its grant. */
interface Usable {
  readonly token: string;
  readonly version: number;
}

/** A grant to store, with the encrypted one that it replaces. */
type NewGrant = CodeHostGrant & { readonly replaced?: EncryptedToken | null };

/** Encrypts the tokens of a grant for the user's row. */
export function encryptGrant(cipher: TokenCipher, userId: UserId, grant: NewGrant): EncryptedGrant {
  const tokens: GrantTokens = { access: grant.accessToken, refresh: grant.refreshToken };
  const encryptedToken = cipher.encrypt(grantOwner(userId), JSON.stringify(tokens), grant.replaced);
  return { encryptedToken, expiresAt: grant.expiresAt };
}

function grantOwner(userId: UserId): TokenOwner {
  return { kind: 'codehost_grant', id: userId, userId };
}

/** The access token of a stored grant; null when it cannot be decrypted. */
export function accessTokenOf(
  cipher: TokenCipher,
  userId: UserId,
  encryptedToken: EncryptedGrant['encryptedToken'],
): string | null {
  try {
    const { access }: GrantTokens = JSON.parse(cipher.decrypt(grantOwner(userId), encryptedToken));
    return access;
  } catch {
    return null; // the error would quote the token
  }
}

export function createCodeHostTokens(context: CodeHostTokensContext): CodeHostTokens {
  const { links, cipher, identity, clock } = context;
  const refreshes = createSingleFlight<string, Usable>();

  // The parser's error would quote the token.
  function opened(userId: UserId, { encryptedToken }: StoredGrant): GrantTokens {
    const text = decryptedGrant(userId, encryptedToken);
    try {
      return JSON.parse(text);
    } catch {
      throw new Error('An encrypted grant has an unknown format.');
    }
  }

  /** Leaves the grant as it is: it works again when its key is restored. */
  function decryptedGrant(userId: UserId, encryptedToken: StoredGrant['encryptedToken']): string {
    try {
      return cipher.decrypt(grantOwner(userId), encryptedToken);
    } catch (cause) {
      throw new AppError('codehost_relink_needed', { detail: UNREADABLE }, { cause });
    }
  }

  async function usable(userId: UserId): Promise<StoredGrant> {
    const grant = await links.grant(userId);
    if (grant === null) throw new AppError('codehost_not_linked');
    if (grant.refused) throw new AppError('codehost_relink_needed');
    return grant;
  }

  function ends({ expiresAt }: StoredGrant): boolean {
    return expiresAt !== null && expiresAt.getTime() - clock.now().getTime() < REFRESH_BEFORE_MS;
  }

  /**
   * A refresh token works once. Concurrent callers share one refresh, which continues when they have left: if the new
   * tokens were not stored, the grant would be lost.
   */
  async function refreshed(userId: UserId, seen: StoredGrant, signal: AbortSignal): Promise<Usable> {
    signal.throwIfAborted();
    const refreshing = refreshes.run(`${userId} ${seen.version}`, () => refresh(userId, seen));
    return await untilAborted(refreshing, signal);
  }

  async function refresh(userId: UserId, seen: StoredGrant): Promise<Usable> {
    const { refresh } = opened(userId, seen);
    if (refresh === null) return await refuse(userId, seen, null);
    try {
      const grant = await identity.refresh(refresh, AbortSignal.timeout(REFRESH_TIMEOUT_MS));
      const kept = { ...grant, refreshToken: grant.refreshToken ?? refresh, replaced: seen.encryptedToken };
      if (await links.replaceGrant(userId, seen.version, encryptGrant(cipher, userId, kept))) {
        return { token: grant.accessToken, version: seen.version + 1 };
      }
      // The account was unlinked or relinked meanwhile. The new token is not stored, so it is revoked.
      await identity.revoke(grant.accessToken, AbortSignal.timeout(REVOKE_TIMEOUT_MS)).catch(() => {});
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'codehost_relink_needed') throw error;
      if (!(await isReplaced(userId, seen))) return await refuse(userId, seen, error);
    }
    const grant = await usable(userId);
    return { token: opened(userId, grant).access, version: grant.version };
  }

  /** Another process may have used the refresh token, and not have stored the new tokens yet. */
  async function isReplaced(userId: UserId, { version }: StoredGrant): Promise<boolean> {
    for (let waited = 0; waited <= CONCURRENT_WRITE_MS; waited += POLL_MS) {
      const now = await links.grant(userId);
      if (now?.version !== version) return true;
      if (now.refused) return false;
      await sleep(POLL_MS);
    }
    return false;
  }

  async function refuse(userId: UserId, { version }: StoredGrant, cause: unknown): Promise<never> {
    await links.refuseGrant(userId, version);
    throw new AppError('codehost_relink_needed', {}, { cause });
  }

  async function current(userId: UserId, signal: AbortSignal): Promise<Usable> {
    const grant = await usable(userId);
    if (ends(grant)) return await refreshed(userId, grant, signal);
    return { token: opened(userId, grant).access, version: grant.version };
  }

  return {
    of: async (userId, signal) => (await current(userId, signal)).token,
    callAsUser: async (userId, signal, work) => {
      let { token, version } = await current(userId, signal);
      for (let left = MAX_REPLACEMENTS; ; left -= 1) {
        try {
          return await work({ token, signal });
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'codehost_relink_needed') throw error;
          await links.refuseGrant(userId, version);
          const now = await links.grant(userId);
          // A refresh invalidates the previous token, even during a call.
          const isReplaced = now !== null && now.version !== version && !now.refused;
          if (!isReplaced || left === 0) throw error;
          // Not refreshed again, because that would invalidate it for the process that has just received it.
          token = opened(userId, now).access;
          version = now.version;
        }
      }
    },
  };
}
