import type { EncryptedToken, TokenCipher, TokenOwner } from '../account/token-cipher.ts';
import type { Clock } from '../async/clock.ts';
import { createSingleFlight } from '../async/single-flight.ts';
import { sleep } from '../async/sleep.ts';
import { untilAborted } from '../async/until-aborted.ts';
import { AppError } from '../error/app-error.ts';
import type { UserId } from '../id/id.ts';
import type { CodeHostCall, CodeHostGrant, CodeHostIdentity } from './code-host.ts';
import type { CodeHostLinkStore, EncryptedGrant, StoredGrant } from './link-store.ts';

const REFRESH_BEFORE_MS = 60_000; // a call must not find its token ended while it is under way
const REFRESH_MS = 30_000; // the host's own patience is shorter; after it nobody waits for an answer that is lost
const REVOKE_MS = 5_000; // somebody waits for an answer that does not depend on it
const FASTER_MS = 3_000; // whoever was faster has his answer, and only has to write it
const LOOK_AGAIN_MS = 50;
const REPLACED_AT_MOST = 2; // times in one call; tokens last for hours

const UNREADABLE = 'Your token for the code host can no longer be decrypted. Link your account again.';

/** Users' tokens at the code host: opened for one call, refreshed where they end. */
export interface CodeHostTokens {
  /**
   * The user's token as it holds now.
   *
   * @throws AppError `codehost_not_linked`, `codehost_relink_needed`, `codehost_unavailable`
   */
  of(userId: UserId, signal: AbortSignal): Promise<string>;
  /**
   * Makes calls in the user's name. When the host refuses the token that is written down, so that the next call says at
   * once what has to be done. Where the token was replaced under way the work is done again: of what it does at the host,
   * two must make one.
   */
  callAsUser<T>(userId: UserId, signal: AbortSignal, work: (call: CodeHostCall) => Promise<T>): Promise<T>;
}

export interface CodeHostTokensContext {
  readonly links: Pick<CodeHostLinkStore, 'grant' | 'replaceGrant' | 'refuseGrant'>;
  readonly cipher: TokenCipher;
  readonly identity: Pick<CodeHostIdentity, 'refresh' | 'revoke'>;
  readonly clock: Clock;
}

interface SealedTokens {
  readonly access: string;
  readonly refresh: string | null;
}

/** A token, with the version of the grant that it is of. */
interface Usable {
  readonly token: string;
  readonly version: number;
}

/** A grant to be kept, with the sealed one that it takes the place of. */
type NewGrant = CodeHostGrant & { readonly replaced?: EncryptedToken | null };

/** A grant as it is kept: its tokens sealed for the user's own row. */
export function encryptGrant(cipher: TokenCipher, userId: UserId, grant: NewGrant): EncryptedGrant {
  const tokens: SealedTokens = { access: grant.accessToken, refresh: grant.refreshToken };
  const sealed = cipher.encrypt(grantOwner(userId), JSON.stringify(tokens), grant.replaced);
  return { sealed, expiresAt: grant.expiresAt };
}

function grantOwner(userId: UserId): TokenOwner {
  return { kind: 'codehost_grant', id: userId, userId };
}

/** The access token of a grant that is kept; null where it can be opened no longer. */
export function accessTokenOf(cipher: TokenCipher, userId: UserId, sealed: EncryptedGrant['sealed']): string | null {
  try {
    const { access }: SealedTokens = JSON.parse(cipher.decrypt(grantOwner(userId), sealed));
    return access;
  } catch {
    return null; // the error would quote the text, which is a token's
  }
}

export function createCodeHostTokens(context: CodeHostTokensContext): CodeHostTokens {
  const { links, cipher, identity, clock } = context;
  const refreshes = createSingleFlight<string, Usable>();

  // The parser's own error would quote the text, which is a token's.
  function opened(userId: UserId, { sealed }: StoredGrant): SealedTokens {
    const text = unsealed(userId, sealed);
    try {
      return JSON.parse(text);
    } catch {
      throw new Error('A sealed grant is not in the form that grants have.');
    }
  }

  /** The grant stays as it is: with its key back it is good again. */
  function unsealed(userId: UserId, sealed: StoredGrant['sealed']): string {
    try {
      return cipher.decrypt(grantOwner(userId), sealed);
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
   * A refresh token is good for one time. So who needs a new token at the same time waits for the same refresh, and that
   * goes on when he has left: what the host answers has to be kept, or nobody gets a token any more.
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
      const grant = await identity.refresh(refresh, AbortSignal.timeout(REFRESH_MS));
      const kept = { ...grant, refreshToken: grant.refreshToken ?? refresh, replaced: seen.sealed };
      if (await links.replaceGrant(userId, seen.version, encryptGrant(cipher, userId, kept))) {
        return { token: grant.accessToken, version: seen.version + 1 };
      }
      // The account was unlinked or linked anew meanwhile: a token that is kept nowhere must not live on at the host.
      await identity.revoke(grant.accessToken, AbortSignal.timeout(REVOKE_MS)).catch(() => {});
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'codehost_relink_needed') throw error;
      if (!(await isReplaced(userId, seen))) return await refuse(userId, seen, error);
    }
    const grant = await usable(userId);
    return { token: opened(userId, grant).access, version: grant.version };
  }

  /** Another process may have used the refresh token up just before, and not have written yet what it got for it. */
  async function isReplaced(userId: UserId, { version }: StoredGrant): Promise<boolean> {
    for (let waited = 0; waited <= FASTER_MS; waited += LOOK_AGAIN_MS) {
      const now = await links.grant(userId);
      if (now?.version !== version) return true;
      if (now.refused) return false;
      await sleep(LOOK_AGAIN_MS);
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
      for (let left = REPLACED_AT_MOST; ; left -= 1) {
        try {
          return await work({ token, signal });
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'codehost_relink_needed') throw error;
          await links.refuseGrant(userId, version);
          const now = await links.grant(userId);
          // A refresh ends the token of before, also where a call is under way with it.
          const isReplaced = now !== null && now.version !== version && !now.refused;
          if (!isReplaced || left === 0) throw error;
          // As it is: to refresh it once more would end it for whoever has just got it.
          token = opened(userId, now).access;
          version = now.version;
        }
      }
    },
  };
}
