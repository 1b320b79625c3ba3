import { createCodeHost, createCodeHostIdentity, createCodeHostWebhooks } from '@sluice/code-host';
import type { TokenCipher } from '@sluice/core/account';
import type { Clock } from '@sluice/core/async';
import {
  type CodeHost,
  type CodeHostIdentity,
  type CodeHostLinkStore,
  type CodeHostSiteStore,
  type CodeHostTokens,
  type CodeHostWebhooks,
  createCodeHostTokens,
} from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { HostResolver } from '@sluice/core/network';
import type { Logger } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import type { CodeHostSettings } from '../config/code-host-settings.ts';
import { observedCodeHost } from '../observability/observed-ports.ts';
import type { Observer } from '../observability/observer.ts';
import { siteOf } from './claim-code-host-site.ts';

/** The adapters of the configured code host. */
export interface OpenCodeHost {
  readonly identity: CodeHostIdentity;
  readonly host: CodeHost;
  /** Null without CODEHOST_WEBHOOK_SECRET. */
  readonly webhooks: CodeHostWebhooks | null;
  readonly tokens: CodeHostTokens;
  /** The origin of its repositories' URLs. */
  readonly origin: string;
}

interface CodeHostDeps {
  readonly links: CodeHostLinkStore;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly hosts: HostResolver;
  readonly around: Observer['around'];
  readonly site: Pick<CodeHostSiteStore, 'kept'>;
  readonly log: Logger;
}

export function openCodeHost(settings: CodeHostSettings | null, deps: CodeHostDeps): OpenCodeHost | null {
  if (settings === null) return null;
  const { clock, hosts } = deps;
  const webUrl = new URL(settings.url);
  const watch = watchCodeHostSite(deps.site, siteOf(settings), deps.log);
  const identity = watch.identity(createCodeHostIdentity({ app: settings, clock }));
  const userAgent = `sluice/${manifest.version}`;
  return {
    identity,
    host: observedCodeHost(
      createCodeHost({
        ...{ webUrl, apiUrl: new URL(settings.apiUrl), clock, hosts, userAgent },
        fileOrigins: settings.fileOrigins,
      }),
      deps.around,
    ),
    webhooks: settings.webhookSecret === null ? null : createCodeHostWebhooks(settings.webhookSecret),
    tokens: watch.tokens(createCodeHostTokens({ ...deps, identity })),
    origin: webUrl.origin,
  };
}

interface SiteWatch {
  identity(identity: CodeHostIdentity): CodeHostIdentity;
  tokens(tokens: CodeHostTokens): CodeHostTokens;
}

/**
 * Checks before each use of a token and each sign-in that the database still belongs to the code host that this server was
 * started with. An operator may have changed it while the server ran: then the code host is no longer called, running
 * work waits for its next retry, and the log asks for a restart of the server.
 */
function watchCodeHostSite(
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
