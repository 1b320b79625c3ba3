import { type FakeCodeHost, startCodeHost } from '@sluice/fake-code-host';
import { makeSampleRepo, sampleIssue } from '../src/local/sample-repo.ts';
import { type ProxiedService, startProxiedService } from './proxied-service.ts';
import type { Terminal } from './terminal.ts';

/** The private repository at the code host: `ann` can write to it, and issue 7 is the sample issue. */
export const HOSTED = 'acme/widget';

export interface HostedService extends ProxiedService {
  readonly host: FakeCodeHost;
}

/** Starts a code host, and a service behind the contract proxy where users sign in with their accounts there. */
export async function startHostedService(
  terminal: Terminal,
  settings: Record<string, string> = {},
): Promise<HostedService> {
  const host = await startCodeHost();
  host.addUser({ login: 'acme', kind: 'Organization' });
  host.addUser({ login: 'ann', name: 'Ann', email: 'ann@example.com' });
  await host.addRepo({ fullName: HOSTED, from: await makeSampleRepo(terminal.home), private: true });
  host.setPermission(HOSTED, { login: 'ann', permission: 'write' });
  host.openIssue(HOSTED, { ...sampleIssue, by: 'ann', number: 7 });
  const proxied = await startProxiedService(terminal, {
    CODEHOST_URL: host.url,
    CODEHOST_API_URL: host.apiUrl,
    CODEHOST_CLIENT_ID: host.clientId,
    CODEHOST_CLIENT_SECRET: host.clientSecret,
    ...settings,
  });
  host.allowRedirectTo(`${proxied.service.url}/api/auth/codehost/callback`);
  return {
    ...proxied,
    host,
    async [Symbol.asyncDispose]() {
      await proxied[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  };
}
