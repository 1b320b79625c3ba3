import type { CodeHostIdentity, CodeHostSiteStore, CodeHostTokens } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { Logger } from 'pino';

export interface SiteWatch {
  identity(identity: CodeHostIdentity): CodeHostIdentity;
  tokens(tokens: CodeHostTokens): CodeHostTokens;
}

/**
 * Checks before each use of a token and each sign-in that the database still belongs to the code host that this server was
 * started with. An operator may have changed it while the server ran: then the code host is no longer called, running
 * work waits for its next retry, and the log asks for a restart of the server.
 */
export function watchCodeHostSite(
  site: Pick<CodeHostSiteStore, 'kept'>,
  configured: string,
  log: Pick<Logger, 'error'>,
): SiteWatch {
  let isLogged = false;

  async function requireSameSite(): Promise<void> {
    const kept = await site.kept();
    if (kept === configured) return;
    if (!isLogged)
      log.error({ configured, kept }, 'the database now belongs to another code host: restart this server');
    isLogged = true;
    const now = kept === null ? 'no longer belongs to a code host' : `now belongs to ${kept}`;
    throw new AppError('codehost_unavailable', {
      detail: `This server was started for the code host ${configured}, but the database ${now}. Its operator has to restart the server.`,
    });
  }

  return {
    identity: (identity) => ({
      ...identity,
      exchange: async (request) => {
        await requireSameSite();
        return identity.exchange(request);
      },
      refresh: async (refreshToken, signal) => {
        await requireSameSite();
        return identity.refresh(refreshToken, signal);
      },
    }),
    tokens: (tokens) => ({
      of: async (userId, signal) => {
        await requireSameSite();
        return tokens.of(userId, signal);
      },
      callAsUser: async (userId, signal, work) => {
        await requireSameSite();
        return tokens.callAsUser(userId, signal, work);
      },
    }),
  };
}
