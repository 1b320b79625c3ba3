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
import type { HostResolver } from '@sluice/core/network';
import type { Logger } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import type { CodeHostSettings } from '../config/code-host-settings.ts';
import { observedCodeHost } from '../observability/observed-ports.ts';
import type { Observer } from '../observability/observer.ts';
import { siteOf } from './claim-code-host-site.ts';
import { watchCodeHostSite } from './watch-code-host-site.ts';

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
      createCodeHost({ webUrl, apiUrl: new URL(settings.apiUrl), clock, hosts, userAgent }),
      deps.around,
    ),
    webhooks: settings.webhookSecret === null ? null : createCodeHostWebhooks(settings.webhookSecret),
    tokens: watch.tokens(createCodeHostTokens({ ...deps, identity })),
    origin: webUrl.origin,
  };
}
