import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { type CodeHostOptions, type FakeCodeHost, startCodeHost } from '@sluice/fake-code-host';
import { continueSession, type HttpSession } from './http-session.ts';
import { fixingIssue, makeBuggyRepo } from './scratch-repo.ts';

/** The private repository of an organization, in which ann may write and eve may read. */
export const HOSTED = 'acme/widget';

/** A code host with issue #7, which the built-in model can carry out, and with pull request #8, made by hand. */
export async function aCodeHost(
  options: CodeHostOptions = {},
  repo: { testScript?: string } = {},
): Promise<FakeCodeHost> {
  // By name, so that to a browser it is another site than the service at its number.
  const host = await startCodeHost({ hostname: 'localhost', ...options });
  host.addUser({ login: 'acme', kind: 'Organization' });
  for (const login of ['ann', 'eve']) host.addUser({ login, name: login, email: `${login}@example.com` });
  await host.addRepo({ fullName: HOSTED, from: makeBuggyRepo(repo).path, private: true, description: 'A widget' });
  host.setPermission(HOSTED, { login: 'ann', permission: 'write' });
  host.setPermission(HOSTED, { login: 'eve', permission: 'read' });
  host.openIssue(HOSTED, { ...fixingIssue, by: 'ann', number: 7, labels: ['bug'] });
  await host.push(HOSTED, { by: 'ann', branch: 'by-hand', files: { 'notes.txt': 'notes\n' } });
  await host.openPull(HOSTED, { title: 'Notes', head: 'by-hand', base: 'main', by: 'ann' });
  return host;
}

/** The configuration of the code host. */
export function codehostEnvironment(host: FakeCodeHost): Record<string, string> {
  return {
    CODEHOST_URL: host.url,
    CODEHOST_API_URL: host.apiUrl,
    CODEHOST_CLIENT_ID: host.clientId,
    CODEHOST_CLIENT_SECRET: host.clientSecret,
    CODEHOST_WEBHOOK_SECRET: 'shared-by-host-and-service',
  };
}

/** Where the host sends browsers back to, at this service. */
export function callbackOf(serviceUrl: string): string {
  return `${serviceUrl}/api/auth/codehost/callback`;
}

/** Signs in at the code host without a browser. */
export async function signInAt(serviceUrl: string, host: FakeCodeHost, login: string): Promise<HttpSession> {
  host.allowRedirectTo(callbackOf(serviceUrl));
  const session = continueSession(serviceUrl, new Map());
  const { body } = await session.call<{ authorization_url: string }>('POST', '/api/auth/codehost');
  const back = new URL(await host.walkSignIn(body.authorization_url, { login }));
  const answer = await session.call('GET', `${back.pathname}${back.search}`);
  if (answer.status !== 302) throw new Error(`the callback answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return session;
}

export async function registerHosted(person: HttpSession): Promise<RepoWire> {
  const answer = await person.call<RepoWire>('POST', '/api/repos', { codehost_repo: HOSTED });
  if (answer.status !== 201) throw new Error(`register answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Imports an issue, has it run and waits until it is at the gate. */
export async function importToGate(person: HttpSession, repo: RepoWire, number: number): Promise<IssueWire> {
  const imported = await person.call<IssueWire>('POST', '/api/issues/import', { repo_id: repo.id, number });
  if (imported.status !== 201) throw new Error(`import answered ${imported.status}: ${JSON.stringify(imported.body)}`);
  await person.call('POST', `/api/issues/${imported.body.id}/run`);
  return await person.reaches(imported.body.id, 'awaiting_approval');
}

/** Approves what waits in the issue as it was read. */
export async function approve(person: HttpSession, { id, gate }: IssueWire): Promise<void> {
  const seen = gate?.head_commit == null ? {} : { head_commit: gate.head_commit };
  const answer = await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve', ...seen });
  if (answer.status !== 200) throw new Error(`approve answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}
