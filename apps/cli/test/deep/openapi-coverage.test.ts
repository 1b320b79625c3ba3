import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSluiceClient, decideIssue, memoryCookies, type SluiceClient, watchIssue } from '@sluice/client';
import type { IssueWire } from '@sluice/core/issue';
import type { FakeCodeHost } from '@sluice/fake-code-host';
import { type FakeProvider, type MailServer, startFakeProvider, startMailServer, untilFound } from '@sluice/testing';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../../src/local/sample-repo.ts';
import { type ContractProxy, openapiDocument, startContractProxy } from '../contract-proxy.ts';
import { HOSTED, type HostedService, startHostedService } from '../hosted-service.ts';
import { itConformsToOpenApi } from '../it-conforms-to-openapi.ts';
import { readOperations } from '../rest-call.ts';
import { openTerminal, PASSWORD, type Terminal } from '../terminal.ts';

// Usual way: apps/cli/test/remote-commands.test.ts

/*
 * Checks the OpenAPI document against the real exchanges of the command and the client package, with Prism.
 */

const SECRET = 'shared-by-host-and-service';
let terminal: Terminal;
let hosted: HostedService;
let host: FakeCodeHost;
let proxy: ContractProxy;
let client: SluiceClient;
let mail: MailServer;
let provider: FakeProvider;
const cookies = memoryCookies();

beforeAll(async () => {
  terminal = await openTerminal();
  mail = await startMailServer();
  provider = await startFakeProvider();
  const company = { id: 'company', name: 'Company', issuer: provider.issuer, client_id: 'sluice' };
  const providers = join(terminal.home, 'oidc.json');
  writeFileSync(providers, JSON.stringify({ providers: [company] }));
  hosted = await startHostedService(terminal, {
    CODEHOST_WEBHOOK_SECRET: SECRET,
    API_TOKENS: 'on',
    OIDC_PROVIDERS: providers,
    LIMIT_REGISTER: '10/1m', // these tests are more people than one
    SMTP_URL: mail.url,
    SMTP_FROM: 'Sluice <sluice@example.com>',
  });
  ({ host, proxy } = hosted);
  host.webhooks.add({ url: `${proxy.url}/api/codehost/webhook`, secret: SECRET });
  client = createSluiceClient({ url: proxy.url, cookies });
});

afterAll(async () => {
  await hosted?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
  await mail?.[Symbol.asyncDispose]();
  await provider?.[Symbol.asyncDispose]();
});

/** The secret of the link in the e-mail about an account. */
const linkToken = async (subject: string, to: string) => {
  const isIt = (one: string) => one.includes(`Subject: ${subject}`) && one.includes(`To: ${to}`);
  const found = await untilFound(() => mail.mails.find(isIt));
  return /#token=([\w-]+)/.exec((found ?? '').replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))?.[1] ?? '';
};

const ownCookie = async () => {
  const kept = await cookies.load(new URL(proxy.url).origin);
  return kept.map(({ name, value }) => `${name}=${value}`).join('; ');
};

/** Sends a request with the session of the client. */
const ask = async (method: string, path: string, init: RequestInit = {}) => {
  const headers = new Headers({ cookie: await ownCookie(), ...(init.headers as Record<string, string>) });
  return await fetch(`${proxy.url}${path}`, { ...init, method, headers, redirect: 'manual' });
};

/** Signs in at the code host and returns, as a browser does. @returns the URL of the final redirect */
async function comeBack(authorizationUrl: string, cookie: string): Promise<URL> {
  const callback = await host.walkSignIn(authorizationUrl, { login: 'ann' });
  const back = await fetch(callback, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });
  expect(back.status).toBe(302);
  return new URL(back.headers.get('location') ?? '', proxy.url);
}

it('holds while the command takes an issue to its branch', async () => {
  const sluice = async (args: readonly string[], { code = 0, input = '' } = {}) => {
    const ended = await terminal.sluice(args, { input });
    expect(ended.code, `${args.join(' ')}: ${ended.stderr}`).toBe(code);
    return ended.stdout;
  };
  const login = ['login', '--url', proxy.url, '--email', 'ada@example.com', '--password-stdin'];
  await sluice([...login, '--register'], { input: PASSWORD });
  await sluice(login, { code: 3, input: 'not that one' });
  const repo = await makeSampleRepo(join(terminal.home, 'own'));
  await sluice(['repos', 'add', repo, '--test', 'npm test']);
  writeFileSync(join(terminal.home, 'bug.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
  writeFileSync(join(terminal.home, 'server.log'), 'GET / 500\n');
  const create = ['issues', 'create', '--repo', 'invoice', '--issue', 'bug.md', '--attach', 'server.log', '--json'];
  const { id } = JSON.parse(await sluice(create));
  const [attached] = JSON.parse(await sluice(['api', `issues/${id}/attachments`])).items;
  expect(await sluice(['api', `attachments/${attached.id}`])).toBe('GET / 500\n');
  await sluice(['issues', 'watch', id, '--no-wait'], { code: 9 });
  await sluice(['issues', 'instruct', id, 'Mind the rounding.', '--watch', '--no-wait'], { code: 9 });
  await sluice(['issues', 'approve', id, '--revision', '1'], { code: 5 });
  await sluice(['issues', 'approve', id, '--watch']);
  const [listed] = await Promise.all([
    sluice(['inbox']),
    sluice(['issues', 'list', '--status', 'completed']),
    sluice(['issues', 'diff', id]),
    sluice(['issues', 'log', id]),
    sluice(['repos', 'search', 'invoice', 'discount', 'line']),
  ]);
  expect(listed).toContain(sampleIssue.title);
  await sluice(['admin', 'overview']);
  await sluice(['api', 'admin/audit']);
  await sluice(['admin', 'budgets']);
  await sluice(['admin', 'budgets', '--usd', '500']);
  expect(await sluice(['stats', '--since', '1d', '--by', 'repo', '--csv'])).toMatch(/^group,opened,/);
  await sluice(['issues', 'close-reason', id, '--reason', 'other'], { code: 5 });
  await sluice(['issues', 'delete', id, '--yes']);
  await sluice(['issues', 'show', id], { code: 4 });
  expect(proxy.exchanges.length).toBeGreaterThan(20);
});

it('holds while the client package uses every procedure', async () => {
  const { auth, repos, issues, outcomes, codehost, audit, health, tokens } = client;
  await expect(auth.me.query()).rejects.toMatchObject({ code: 'session_missing', status: 401 });
  await expect(auth.register.mutate({ email: 'no address', password: 'short' })).rejects.toMatchObject({ status: 400 });
  await auth.register.mutate({ email: 'bob@example.com', password: PASSWORD });
  await auth.email.verify.mutate({ token: await linkToken('Verify your e-mail address', 'bob@example.com') });
  await auth.password.requestReset.mutate({ email: 'bob@example.com' });
  const token = await linkToken('Reset your password', 'bob@example.com');
  await auth.password.reset.mutate({ token, password: `${PASSWORD} of Bob` });
  await auth.register.mutate({ email: 'eve@example.com', password: PASSWORD });
  expect(await auth.account.deletion.query()).toMatchObject({ proof: 'password', last_operator: false, repos: [] });
  await expect(auth.account.delete.mutate({ current_password: 'wrong' })).rejects.toMatchObject({ status: 403 });
  await auth.account.delete.mutate({ current_password: PASSWORD });
  await auth.register.mutate({ email: 'ann@example.com', password: PASSWORD, name: 'Ann' });
  await auth.logout.mutate();
  await auth.login.mutate({ email: 'ann@example.com', password: PASSWORD });
  await auth.email.requestVerification.mutate();
  await auth.account.update.mutate({ name: 'Ann of Acme' });
  expect(await auth.me.query()).toMatchObject({ name: 'Ann of Acme' });
  await auth.preferences.update.mutate({ theme: 'dark' });
  expect(await auth.preferences.get.query()).toMatchObject({ theme: 'dark', diff: 'split' });

  const { authorization_url } = await auth.codehost.start.mutate();
  await comeBack(authorization_url, await ownCookie());
  expect((await codehost.repos.query({ q: 'wid', per_page: 10 })).items).toHaveLength(1);
  const { id: repo_id } = await repos.create.mutate({ codehost_repo: HOSTED });
  expect((await repos.issues.query({ id: repo_id })).items).toMatchObject([{ number: 7 }]);

  const known = await repos.addMember.mutate({ id: repo_id, user: 'bob@example.com', role: 'viewer' });
  await repos.changeMember.mutate({ id: repo_id, user_id: known.user_id, role: 'approver' });
  expect((await repos.members.query({ id: repo_id })).items).toHaveLength(2);
  await repos.removeMember.mutate({ id: repo_id, user_id: known.user_id });

  expect(await repos.updateBudget.mutate({ id: repo_id, cost_usd: 20 })).toMatchObject({ share: 0 });
  expect(await repos.budget.query({ id: repo_id })).toMatchObject({ limit: { cost_usd: 20, tokens: null } });
  expect((await client.budgets.mine.query()).repositories).toMatchObject([{ repo_id }]);

  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const asked = await ask('GET', `/api/auth/codehost/cli?port=4000&state=${'s'.repeat(32)}&challenge=${challenge}`);
  const { confirm_url } = (await asked.json()) as { confirm_url: string };
  const begun = await ask('POST', new URL(confirm_url).pathname);
  const flow = begun.headers.getSetCookie().map((line) => line.split(';')[0]);
  const sent = await comeBack(begun.headers.get('location') ?? '', flow.join('; '));
  const other = createSluiceClient({ url: proxy.url });
  await other.auth.codehost.cli.finish.mutate({ grant: sent.searchParams.get('grant') ?? '', verifier });
  expect((await auth.account.failedLogins.query({})).items).toEqual([]);
  const wanted = { name: 'CI', scope: 'read', repo_id, expires_in_days: 1 } as const;
  const [one, other_token] = [await tokens.create.mutate(wanted), await tokens.create.mutate(wanted)];
  const script = createSluiceClient({ url: proxy.url, token: one.token });
  expect((await script.repos.list.query()).items).toMatchObject([{ id: repo_id }]);
  expect((await tokens.list.query()).items).toHaveLength(2);
  expect((await repos.tokens.query({ id: repo_id })).items).toHaveLength(2);
  await tokens.revoke.mutate({ id: one.id });
  await repos.revokeToken.mutate({ id: repo_id, token_id: other_token.id });
  const { items: sessions } = await auth.sessions.list.query({ limit: 5 });
  await auth.sessions.revoke.mutate({ id: sessions.find(({ current }) => !current)?.id ?? '' });

  const { id } = await issues.import.mutate({ repo_id, number: 7 });
  await expect(issues.import.mutate({ repo_id, number: 7 })).rejects.toMatchObject({ status: 409 });
  await issues.update.mutate({ id, title: 'Another title' });
  // Notes are accepted while it runs, and it is blocked until it has the repository.
  const noted = Promise.withResolvers<void>();
  const letGo = host.onRequest(async ({ path }) => {
    if (path.endsWith('/info/refs')) await noted.promise;
  });
  await issues.run.mutate({ id });
  for await (const event of watchIssue(client, id)) {
    if (event.type === 'stage.started' && event.data.stage === 'prepare') {
      await issues.message.mutate({ id, text: 'Mind the rounding.' }).finally(noted.resolve);
      letGo();
    }
    if (event.type === 'issue.status' && event.data.to === 'awaiting_approval') {
      expect(await issues.base.query({ id })).toMatchObject({ moved: false, planned_files: [] });
      await decideIssue(client, await issues.get.query({ id }), { action: 'reject' });
    }
  }
  expect((await issues.get.query({ id })).status).toBe('rejected');
  await issues.plans.query({ id });
  await issues.steps.query({ id });
  await issues.history.query({ id, after: 1, limit: 1_000 });
  await expect(issues.retry.mutate({ id })).rejects.toMatchObject({ status: 409 });
  await expect(other.issues.get.query({ id })).rejects.toMatchObject({ status: 401 });

  const { id: closed } = await issues.create.mutate({ repo_id, ...sampleIssue });
  for await (const event of watchIssue(client, closed)) {
    if (event.type === 'issue.status' && event.data.to === 'awaiting_approval') {
      await decideIssue(client, await issues.get.query({ id: closed }), { action: 'approve' });
    }
  }
  const { outcome } = await issues.outcome.query({ id: closed });
  host.close({ repo: HOSTED, number: outcome?.number ?? 0, by: 'ann' });
  await expect.poll(async () => (await issues.outcome.query({ id: closed })).outcome?.close).not.toBeNull();
  expect(await issues.closeReason.mutate({ id: closed, reason: 'duplicate' })).toMatchObject({
    close: { reason: 'duplicate' },
  });
  expect((await outcomes.read.query({ group_by: 'repo' })).total).toMatchObject({ opened: 1, closed: 1 });

  const { id: mine } = await issues.create.mutate({ repo_id, title: 'A sum', body: 'Right it.', labels: ['bug'] });
  await issues.cancel.mutate({ id: mine });
  await issues.delete.mutate({ id: mine });
  await repos.update.mutate({ id: repo_id, instructions: 'Be brief.', setup_command: 'false' });
  expect(await repos.get.query({ id: repo_id })).toMatchObject({ setup_command: 'false' });
  const { id: hopeless } = await issues.create.mutate({ repo_id, ...sampleIssue });
  for await (const _ of watchIssue(client, hopeless));
  expect((await issues.retry.mutate({ id: hopeless })).status).not.toBe('failed');
  for await (const _ of watchIssue(client, hopeless));
  expect((await repos.list.query({ limit: 1 })).items).toMatchObject([{ id: repo_id }]);
  await repos.delete.mutate({ id: repo_id });
  await expect(repos.get.query({ id: repo_id })).rejects.toMatchObject({ code: 'repo_not_found' });
  await auth.codehost.unlink.mutate();
  expect((await audit.list.query({ limit: 50 })).items.length).toBeGreaterThan(5);
  await expect(client.admin.overview.query()).rejects.toMatchObject({ code: 'operator_required' });
  await expect(client.admin.budgets.query()).rejects.toMatchObject({ code: 'operator_required' });
  const each = client.admin.updateBudgets.mutate({ of: 'each_user', tokens: 1 });
  await expect(each).rejects.toMatchObject({ code: 'operator_required' });
  await expect(client.admin.audit.query()).rejects.toMatchObject({ code: 'operator_required' });
  await health.live.query();
  await health.ready.query();
  expect((await client.server.get.query()).details?.models.plan).toEqual({ names: ['builtin'], builtin: true });
});

it('holds while an operator looks after the users', async () => {
  const operator = createSluiceClient({ url: proxy.url });
  await operator.auth.login.mutate({ email: 'ada@example.com', password: PASSWORD });
  const { admin } = operator;
  const { items } = await admin.users.query({ q: 'bob@', state: 'active' });
  const user_id = items[0]?.id ?? '';
  expect(await admin.updateUser.mutate({ user_id, disabled: true })).toMatchObject({ email: 'bob@example.com' });
  expect(await admin.updateUser.mutate({ user_id, disabled: false })).toMatchObject({ disabled_at: null });
  expect(await admin.user.query({ user_id })).toMatchObject({ operator: false, second_factor: false });
  expect((await admin.userSessions.query({ user_id })).items).toEqual([]);
  await admin.endUserSessions.mutate({ user_id });
  await admin.removeUserSecondFactors.mutate({ user_id });
  expect((await admin.userTokens.query({ user_id, limit: 5 })).items).toEqual([]);
  expect((await admin.repos.query({ limit: 5 })).items.length).toBeGreaterThan(0);
  const { id: invitation_id, url } = await admin.invite.mutate({ email: 'grace@example.com' });
  expect((await admin.invitations.query()).items).toMatchObject([{ id: invitation_id }]);
  await admin.withdrawInvitation.mutate({ invitation_id });
  const { id } = await operator.repos.create.mutate({ url: await makeSampleRepo(join(terminal.home, 'fourth')) });
  const invited = await operator.repos.inviteMember.mutate({ id, email: 'grace@example.com', role: 'viewer' });
  expect((await operator.repos.invitations.query({ id })).items).toHaveLength(1);
  await operator.repos.withdrawInvitation.mutate({ id, invitation_id: invited.id });
  const invitation = new URLSearchParams(new URL(url).hash.slice(1)).get('invitation') ?? '';
  const late = createSluiceClient({ url: proxy.url });
  const registered = late.auth.register.mutate({ email: 'grace@example.com', password: PASSWORD, invitation });
  await expect(registered).rejects.toMatchObject({ code: 'invitation_invalid' });
  const token = await operator.tokens.create.mutate({ name: 'CI', scope: 'read', expires_in_days: 1 });
  await admin.revokeUserToken.mutate({ user_id: token.user_id, token_id: token.id });
  const revoked = admin.revokeUserToken.mutate({ user_id, token_id: user_id });
  await expect(revoked).rejects.toMatchObject({ code: 'api_token_not_found' });
});

it('holds for the features of REST only', async () => {
  const json = { 'content-type': 'application/json' };
  const created = await client.repos.create.mutate({ url: await makeSampleRepo(join(terminal.home, 'third')) });
  const body = JSON.stringify({ repo_id: created.id, ...sampleIssue });
  const keyed = { headers: { ...json, 'idempotency-key': 'once' }, body };
  const issue = (await (await ask('POST', '/api/issues', keyed)).json()) as IssueWire;
  const again = await ask('POST', '/api/issues', keyed);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  const at = `/api/issues/${issue.id}`;
  for await (const event of watchIssue(client, issue.id)) {
    if (event.type === 'issue.status' && event.data.to === 'awaiting_approval') {
      await decideIssue(client, await client.issues.get.query({ id: issue.id }), { action: 'approve' });
    }
  }
  const read = await ask('GET', at);
  const etag = read.headers.get('etag') ?? '';
  expect((await ask('GET', at, { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect(await (await ask('GET', `${at}/diff`, { headers: { accept: 'text/x-diff' } })).text()).toMatch(/^diff --git/);
  expect((await ask('GET', `${at}/log`, { headers: { accept: 'text/plain' } })).status).toBe(200);
  const events = await (await ask('GET', `${at}/events`)).text();
  const last = [...events.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1];
  expect((await ask('GET', `${at}/events?after=${last}`)).status).toBe(204);
  expect((await ask('GET', '/api/openapi.json')).status).toBe(200);
  const endless = (await ask('GET', '/api/events')).body?.getReader();
  expect(new TextDecoder().decode((await endless?.read())?.value)).toMatch(/^(event|data|id|retry|:)/);
  await endless?.cancel();

  for (const [origin, status] of [
    [proxy.url, 200],
    ['https://elsewhere.example', 403],
  ] as const) {
    const name = { headers: { ...json, origin }, body: '{"name":"Ann"}' };
    expect((await ask('PATCH', '/api/auth/me', name)).status, origin).toBe(status);
  }
  const foreign = createSluiceClient({ url: proxy.url });
  await foreign.auth.register.mutate({ email: 'eve@example.com', password: PASSWORD });
  await expect(foreign.issues.get.query({ id: issue.id })).rejects.toMatchObject({ status: 403 });

  host.openIssue(HOSTED, { title: 'News', by: 'ann', number: 9 });
  await host.webhooks.settled();
  const delivery = host.webhooks.deliveries.at(-1);
  expect(delivery?.statuses).toEqual([202]);
  if (delivery !== undefined) {
    expect(await host.webhooks.redeliver(delivery)).toBe(200);
    expect(await host.webhooks.forge(delivery, { secret: 'another' })).toBe(401);
  }
});

it('holds for notifications, and for the link that turns e-mails off', async () => {
  const { notifications } = client;
  const made = await notifications.create.mutate({ url: 'https://receiver.test/hook', events: ['issue.failed'] });
  const { id } = made;
  expect(made.secret).toMatch(/^whsec_/);
  await notifications.update.mutate({ id, format: 'slack', description: 'The bot' });
  expect((await notifications.rotateSecret.mutate({ id })).secret).not.toBe(made.secret);
  const test = await notifications.test.mutate({ id });
  const [from, to] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
  expect(await notifications.replay.mutate({ id, from, to, only_given_up: true })).toEqual({
    replayed: 0,
    next_from: null,
  });
  expect((await notifications.deliveries.query({ id, limit: 5 })).items.at(-1)).toMatchObject({ id: test.id });
  const email = await notifications.create.mutate({ channel: 'email' });
  expect(email.secret).toBeNull();
  await notifications.test.mutate({ id: email.id });
  const link =
    /^List-Unsubscribe: <(.*)>$/m.exec(
      await untilFound(async () => mail.mails.find((one) => one.includes('List-Unsubscribe'))),
    )?.[1] ?? '';
  expect((await fetch(link)).status).toBe(200);
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(link, { method: 'POST', body })).status).toBe(200);
  expect(await notifications.get.query({ id: email.id })).toMatchObject({ enabled: false });
  expect((await notifications.list.query()).items).toHaveLength(2);
  await notifications.delete.mutate({ id });
  await expect(notifications.get.query({ id })).rejects.toMatchObject({ code: 'notification_target_not_found' });
});

it('holds while a second factor is added, renamed and removed', async () => {
  const { auth } = client;
  const proof = { current_password: PASSWORD };
  const { secret, challenge } = await auth.secondFactors.beginTotp.mutate(proof);
  const code = new TOTP({ secret }).generate();
  const { second_factor, recovery_codes } = await auth.secondFactors.add.mutate({ challenge, name: 'Phone', code });
  expect(recovery_codes).toHaveLength(10);
  const { id } = second_factor;
  const renamed = await auth.secondFactors.rename.mutate({ id, name: 'Old phone', ...proof });
  expect(renamed).toMatchObject({ name: 'Old phone' });
  expect((await auth.secondFactors.replaceRecoveryCodes.mutate(proof)).recovery_codes).toHaveLength(10);
  expect((await auth.secondFactors.beginPasskey.mutate(proof)).options).toMatchObject({ rp: { id: 'localhost' } });
  await auth.secondFactors.remove.mutate({ id, ...proof });
  expect((await auth.secondFactors.list.query()).items).toEqual([]);
});

it('holds for a sign-in at an OpenID provider, and its logout', async () => {
  const flowOf = (answer: Response) => answer.headers.getSetCookie().map((line) => line.split(';')[0]);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  /** Signs in, as a browser does. @returns the answer to the callback */
  const walk = async (url: string, cookie: string) => {
    const back = provider.authorize(url, { sid: 's-1' });
    const callback = `${proxy.url}/api/auth/oidc/company/callback?${back}`;
    return await fetch(callback, { redirect: 'manual', headers: { cookie, accept: 'application/json' } });
  };
  const begun = await fetch(`${proxy.url}/api/auth/oidc/company`, { method: 'POST' });
  const { authorization_url } = (await begun.json()) as { authorization_url: string };
  const session = flowOf(await walk(authorization_url, flowOf(begun).join('; '))).join('; ');
  const asAda = (method: string, path: string) =>
    fetch(`${proxy.url}/api/auth/oidc${path}`, { method, headers: { cookie: session } });
  expect(await (await asAda('GET', '')).json()).toMatchObject({ items: [{ provider: 'company', current: true }] });
  expect((await asAda('POST', '/company/logout')).status).toBe(200);

  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const cli = `/api/auth/oidc/company/cli?port=4000&state=${'s'.repeat(32)}&challenge=${challenge}`;
  const { confirm_url } = (await (await ask('GET', cli)).json()) as { confirm_url: string };
  const confirmed = await ask('POST', new URL(confirm_url).pathname);
  const delivered = await walk(confirmed.headers.get('location') ?? '', flowOf(confirmed).join('; '));
  const grant = new URL(delivered.headers.get('location') ?? '').searchParams.get('grant') ?? '';
  const program = createSluiceClient({ url: proxy.url, cookies: memoryCookies() });
  await program.auth.oidc.cli.finish.mutate({ provider: 'company', grant, verifier });
  await program.auth.account.update.mutate({ email: 'ada-sso@example.com', password: PASSWORD });
  await program.auth.oidc.unlink.mutate({ provider: 'company' });

  const iat = Math.floor(Date.now() / 1_000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const token = await provider.sign({ iss: provider.issuer, aud: 'sluice', iat, jti: 'one', events, sid: 's-1' });
  const logout = { method: 'POST', headers: form, body: new URLSearchParams({ logout_token: token }) };
  expect((await fetch(`${proxy.url}/api/auth/oidc/company/backchannel-logout`, logout)).status).toBe(200);
});

itConformsToOpenApi(() => proxy);

it('is covered in every operation', () => {
  const { all } = readOperations(JSON.parse(readFileSync(openapiDocument, 'utf8')));
  const done = proxy.exchanges.filter(({ status }) => status < 400).map(({ operationId }) => operationId);
  const unused = all.map(({ operationId }) => operationId).filter((id) => !done.includes(id));
  expect(unused).toEqual([]);
});

describe('a difference is reported', () => {
  it('in a request that the service refuses too', async () => {
    const mark = proxy.exchanges.length;
    await expect(client.issues.list.query({ limit: 101 })).rejects.toMatchObject({ status: 400 });
    const [seen] = proxy.exchanges.slice(mark);
    expect(seen).toMatchObject({
      operationId: 'issues-list',
      violations: [{ location: ['request', 'query', 'limit'] }],
    });
  });

  it('in a response: an extra member, a wrong status, an unknown route', async () => {
    const planted: Record<string, [status: number, body: object]> = {
      '/api/health/live': [200, { status: 'ok', mood: 'good' }],
      '/api/openapi.json': [418, {}],
      '/api/nowhere': [200, {}],
    };
    const liar = createServer((req, res) => {
      const [status, body] = planted[req.url ?? ''] ?? [404, {}];
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(liar, 'listening');
    await using seen = await startContractProxy();
    seen.forwardTo(`http://127.0.0.1:${(liar.address() as AddressInfo).port}`);
    for (const path of Object.keys(planted)) await (await fetch(`${seen.url}${path}`)).text();
    liar.close();
    expect(seen.exchanges.map(({ request, violations }) => [request, violations[0]?.message])).toEqual([
      ['GET /api/health/live', expect.stringContaining("found 'mood'")],
      ['GET /api/openapi.json', expect.stringContaining('Unable to match the returned status code')],
      ['GET /api/nowhere', 'Selected route not found'],
    ]);
  });
});
