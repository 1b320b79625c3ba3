import type { ConfiguredOidcProvider } from '@sluice/api';
import type { Clock } from '@sluice/core/async';
import type { HostResolver } from '@sluice/core/network';
import { createOidcProvider } from '@sluice/oidc';
import type { Config } from '../config/parse-config.ts';

/** The configured OpenID providers. None is asked before somebody logs in there. */
export function openOidc(
  { oidc, allowPrivateHosts }: Pick<Config, 'oidc' | 'allowPrivateHosts'>,
  { clock, hosts }: { readonly clock: Clock; readonly hosts: HostResolver },
): readonly ConfiguredOidcProvider[] {
  return oidc.map(({ client, rules }) => ({
    provider: createOidcProvider({ client, clock, hosts, allowPrivateHosts }),
    rules,
  }));
}
