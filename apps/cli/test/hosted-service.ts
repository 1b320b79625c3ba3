import { type FakeCodeHost, startCodeHost } from '@sluice/testing';
import { makeSampleRepo, sampleIssue } from '../src/sample-repo.ts';
import { type Service, startService, type Terminal } from './terminal.ts';

/** The private repository at the code host: `ann` may write to it, and its issue 7 is the sample's. */
export const HOSTED = 'acme/widget';

export interface HostedService {
  readonly host: FakeCodeHost;
  readonly service: Service;
}

/** A code host, and a service that people sign in to with their accounts there. */
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
  const service = await startService(terminal, {
    CODEHOST_URL: host.url,
    CODEHOST_API_URL: host.apiUrl,
    CODEHOST_CLIENT_ID: host.clientId,
    CODEHOST_CLIENT_SECRET: host.clientSecret,
    ...settings,
  });
  host.allowRedirectTo(`${service.url}/api/auth/codehost/callback`);
  return { host, service };
}
