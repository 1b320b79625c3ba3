import type { BrowserContext } from '@playwright/test';
import { type FakeCodeHost, startCodeHost } from '@sluice/fake-code-host';
import { apiUser } from './api-user.ts';
import { makeSampleRepo } from './sample-repo.ts';
import { type ServedConsole, serveConsole } from './serve-console.ts';

export const HOSTED = 'shop/invoice';
const HOUR = 3_600_000;

/** A service, and the code host that it works with, in whose repository people have reported problems. It ends with it. */
export interface HostedWorld extends ServedConsole {
  readonly host: FakeCodeHost;
}

/** Open issues, the oldest first. `ann`, `bea` and `cem` can write to the repository, the others are strangers. */
const reported = [
  { by: 'bea', title: 'Sort the lines of an invoice by their position', labels: ['enhancement'], hoursAgo: 900 },
  { by: 'visitor-7', title: 'Where is the price list documented?', labels: ['question'], hoursAgo: 640 },
  { by: 'cem', title: 'The tax of a line is rounded twice', labels: ['bug', 'billing'], hoursAgo: 410 },
  { by: 'ann', title: 'A discount of 100 % prints −0.00', labels: ['bug', 'billing'], hoursAgo: 300 },
  { by: 'olaf-h', title: 'Print invoices in Danish', labels: ['enhancement'], hoursAgo: 170 },
  { by: 'bea', title: 'The total overflows above 21 million', labels: ['bug'], hoursAgo: 75 },
  { by: 'cem', title: 'Name the currency on each page', labels: ['enhancement', 'good first issue'], hoursAgo: 30 },
  { by: 'ann', title: 'An invoice without lines throws', labels: ['bug'], hoursAgo: 5 },
] as const;

export async function serveHosted(folder: string): Promise<HostedWorld> {
  let hoursAgo = 1_000;
  const host = await startCodeHost({ clock: { now: () => new Date(Date.now() - hoursAgo * HOUR) } });
  host.addUser({ login: 'shop', kind: 'Organization' });
  for (const login of ['ann', 'bea', 'cem', 'visitor-7', 'olaf-h'])
    host.addUser({ login, email: `${login}@example.com` });
  await host.addRepo({ fullName: HOSTED, from: makeSampleRepo(folder) });
  for (const login of ['ann', 'bea', 'cem']) host.setPermission(HOSTED, { login, permission: 'write' });
  reported.forEach(({ hoursAgo: then, ...issue }, index) => {
    hoursAgo = then;
    host.openIssue(HOSTED, { ...issue, number: 61 + index * 3 });
  });
  hoursAgo = 0;
  const served = await serveConsole({
    CODEHOST_URL: host.url,
    CODEHOST_API_URL: host.apiUrl,
    CODEHOST_CLIENT_ID: host.clientId,
    CODEHOST_CLIENT_SECRET: host.clientSecret,
    CODEHOST_POLL: '0',
  });
  host.allowRedirectTo(`${served.url}/api/auth/codehost/callback`);
  return {
    ...served,
    host,
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  };
}

/** Signs the context in as `ann`, and registers the repository. */
export async function signInHosted(
  { request }: Pick<BrowserContext, 'request'>,
  { host, url }: HostedWorld,
): Promise<{ readonly userId: string; readonly repoId: string }> {
  const user = apiUser(request, url);
  const { authorization_url } = await user.post('/auth/codehost');
  await request.get(await host.walkSignIn(authorization_url, { login: 'ann' }), { maxRedirects: 0 });
  const { id: userId } = await user.get('/auth/me');
  const { id: repoId } = await user.post('/repos', { codehost_repo: HOSTED });
  return { userId, repoId };
}
