import type { Clock } from '../clock.ts';
import { AppError } from '../error/app-error.ts';
import type { UserId } from '../id.ts';
import type { CodeHostCall, CodeHostGrant, CodeHostIdentity } from '../port/code-host.ts';
import type { CodeHostLinkStore, SealedGrant, StoredGrant } from '../port/codehost-store.ts';
import type { TokenCipher } from '../port/token-cipher.ts';

const REFRESH_BEFORE_MS = 60_000; // a call must not find its token ended while it is under way

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
   * once what has to be done.
   */
  inNameOf<T>(userId: UserId, signal: AbortSignal, work: (call: CodeHostCall) => Promise<T>): Promise<T>;
}

export interface CodeHostTokensContext {
  readonly links: Pick<CodeHostLinkStore, 'grant' | 'replaceGrant' | 'refuseGrant'>;
  readonly cipher: TokenCipher;
  readonly identity: Pick<CodeHostIdentity, 'refresh'>;
  readonly clock: Clock;
}

interface SealedTokens {
  readonly access: string;
  readonly refresh: string | null;
}

/** A grant as it is kept: its tokens sealed for the user, readable in no other user's row. */
export function sealGrant(cipher: TokenCipher, userId: UserId, grant: CodeHostGrant): SealedGrant {
  const tokens: SealedTokens = { access: grant.accessToken, refresh: grant.refreshToken };
  return { sealed: cipher.seal(userId, JSON.stringify(tokens)), expiresAt: grant.expiresAt };
}

export function createCodeHostTokens(context: CodeHostTokensContext): CodeHostTokens {
  const { links, cipher, identity, clock } = context;
  const opened = (userId: UserId, { sealed }: StoredGrant): SealedTokens => JSON.parse(cipher.open(userId, sealed));

  async function usable(userId: UserId): Promise<StoredGrant> {
    const grant = await links.grant(userId);
    if (grant === null) throw new AppError('codehost_not_linked');
    if (grant.refused) throw new AppError('codehost_relink_needed');
    return grant;
  }

  function ends({ expiresAt }: StoredGrant): boolean {
    return expiresAt !== null && expiresAt.getTime() - clock.now().getTime() < REFRESH_BEFORE_MS;
  }

  async function refreshed(userId: UserId, seen: StoredGrant, signal: AbortSignal): Promise<string> {
    const { refresh } = opened(userId, seen);
    try {
      if (refresh === null) throw new AppError('codehost_relink_needed');
      const grant = await identity.refresh(refresh, signal);
      const kept = { ...grant, refreshToken: grant.refreshToken ?? refresh };
      if (await links.replaceGrant(userId, seen.version, sealGrant(cipher, userId, kept))) return grant.accessToken;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'codehost_relink_needed') throw error;
      // A refresh token is good for one time. Whoever was faster has used it up, and written what he got for it.
      if ((await links.grant(userId))?.version === seen.version) {
        await links.refuseGrant(userId, seen.version);
        throw error;
      }
    }
    return opened(userId, await usable(userId)).access;
  }

  async function current(userId: UserId, signal: AbortSignal): Promise<{ token: string; version: number }> {
    const grant = await usable(userId);
    if (!ends(grant)) return { token: opened(userId, grant).access, version: grant.version };
    const token = await refreshed(userId, grant, signal);
    return { token, version: (await usable(userId)).version };
  }

  return {
    of: async (userId, signal) => (await current(userId, signal)).token,
    inNameOf: async (userId, signal, work) => {
      const { token, version } = await current(userId, signal);
      try {
        return await work({ token, signal });
      } catch (error) {
        if (error instanceof AppError && error.code === 'codehost_relink_needed') {
          await links.refuseGrant(userId, version);
        }
        throw error;
      }
    },
  };
}
