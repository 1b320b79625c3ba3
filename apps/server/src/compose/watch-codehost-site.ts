import { AppError, type CodeHostIdentity, type CodeHostSiteStore, type CodeHostTokens } from '@sluice/core';
import type { Logger } from 'pino';

export interface SiteWatch {
  identity(identity: CodeHostIdentity): CodeHostIdentity;
  tokens(tokens: CodeHostTokens): CodeHostTokens;
}

/**
 * Looks, before anybody's token is used and before anybody is signed in, whether the database is still of the code host
 * that this server was started for. An operator may have said otherwise while it ran: then nobody is asked any more, what
 * runs waits for its next try, and the log says that the server has to be started anew.
 */
export function watchCodeHostSite(
  site: Pick<CodeHostSiteStore, 'kept'>,
  configured: string,
  log: Pick<Logger, 'error'>,
): SiteWatch {
  let isTold = false;

  async function look(): Promise<void> {
    const kept = await site.kept();
    if (kept === configured) return;
    if (!isTold) log.error({ configured, kept }, 'the database is of another code host by now: start this server anew');
    isTold = true;
    const now = kept === null ? 'of no code host any more' : `of ${kept} by now`;
    throw new AppError('codehost_unavailable', {
      detail: `This server was started for the code host ${configured}, and the database is ${now}: its operator has to start it anew.`,
    });
  }

  return {
    identity: (identity) => ({
      ...identity,
      exchange: async (request) => {
        await look();
        return identity.exchange(request);
      },
      refresh: async (refreshToken, signal) => {
        await look();
        return identity.refresh(refreshToken, signal);
      },
    }),
    tokens: (tokens) => ({
      of: async (userId, signal) => {
        await look();
        return tokens.of(userId, signal);
      },
      callAsUser: async (userId, signal, work) => {
        await look();
        return tokens.callAsUser(userId, signal, work);
      },
    }),
  };
}
