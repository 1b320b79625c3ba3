import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { IssueWire } from '@sluice/core/issue';
import type { FakeCodeHost } from '@sluice/fake-code-host';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleIssue } from '../../src/local/sample-repo.ts';
import { HOSTED, type HostedService, startHostedService } from '../hosted-service.ts';
import { itConformsToOpenApi } from '../it-conforms-to-openapi.ts';
import { openTerminal, type Service, type Terminal } from '../terminal.ts';

// Usual way: apps/cli/test/remote-commands.test.ts

let terminal: Terminal;
let hosted: HostedService;
let host: FakeCodeHost;
let service: Service;

beforeAll(async () => {
  terminal = await openTerminal();
  hosted = await startHostedService(terminal);
  ({ host, service } = hosted);
});

afterAll(async () => {
  await hosted?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
});

/** Starts a login, and follows the printed URL through the pages as a browser does. */
async function logInByBrowser(who: { login: string; deny?: boolean }) {
  const login = await terminal.start(['login', '--codehost', '--no-browser', '--url', service.url]);
  const stdout = text(login.stdout as never);
  let stderr = '';
  let page = '';
  for await (const chunk of login.stderr?.setEncoding('utf8') ?? []) {
    stderr += chunk;
    const address = /^(http\S+\/api\/auth\/codehost\/cli\S*)\n/m.exec(stderr)?.[1];
    const code = /^Confirm there that the page shows this code: (\S+)\n/m.exec(stderr)?.[1];
    if (address === undefined || code === undefined || page !== '') continue;
    const asking = await (await fetch(address, { headers: { accept: 'text/html' } })).text();
    expect(asking).toContain(`<output>${code}</output>`);
    const click = /action="([^"]*)"/.exec(asking)?.[1] ?? '';
    const begun = await fetch(click, { method: 'POST', redirect: 'manual', headers: { origin: service.url } });
    const cookie = begun.headers.getSetCookie().map((line) => line.split(';')[0]);
    const callback = await host.walkSignIn(begun.headers.get('location') ?? '', who);
    const headers = { cookie: cookie.join('; '), accept: 'text/html' };
    const back = await fetch(callback, { redirect: 'manual', headers });
    page = await (await fetch(back.headers.get('location') ?? '')).text();
  }
  if (login.exitCode === null) await once(login, 'exit');
  return { code: login.exitCode, stdout: await stdout, stderr, page };
}

it('does not log in a user who denies access at the code host', async () => {
  const { code, stderr, page } = await logInByBrowser({ login: 'ann', deny: true });
  expect(code, stderr).toBe(3);
  expect(page).toContain('You can close this window.');
  expect(stderr).toContain('sluice: The sign-in at the code host failed (codehost_denied).');
  expect(existsSync(join(terminal.home, '.local/state/sluice/last-server'))).toBe(false);
});

it('goes from a sign-in in the browser to a pull request, one command at a time', async () => {
  const login = await logInByBrowser({ login: 'ann' });
  expect(login.code, login.stderr).toBe(0);
  expect(login.page).toContain('You are signed in. You can close this window.');
  expect(await terminal.json(['whoami'])).toMatchObject({ codehost_login: 'ann' });

  const there = await terminal.sluice(['repos', 'list', '--codehost']);
  expect(there.stdout, there.stderr).toMatch(/^acme\/widget\tprivate/);
  const added = await terminal.sluice(['repos', 'add', HOSTED]);
  expect(added.code, added.stderr).toBe(0);
  expect((await terminal.sluice(['repos', 'list', '--codehost'])).stdout).toMatch(/added as [0-9a-f]{8}/);

  const open = await terminal.sluice(['issues', 'list', '--codehost', '--repo', HOSTED]);
  expect(open.stdout, open.stderr).toContain(`#7\t${sampleIssue.title}\tann`);
  for (const [words, found] of [
    [sampleIssue.title.toUpperCase(), 1],
    ['no such words', 0],
  ] as const) {
    const list = ['issues', 'list', '--codehost', '--repo', HOSTED, '--search', words];
    expect((await terminal.json<{ items: unknown[] }>(list)).items).toHaveLength(found);
  }
  const imported = await terminal.json<IssueWire>(['issues', 'import', HOSTED, '7']);
  expect(imported).toMatchObject({ status: 'pending', origin: 'codehost', codehost_number: 7, queued_at: null });
  const again = await terminal.sluice(['issues', 'import', HOSTED, '7']);
  expect(again.code).toBe(5);
  expect((await terminal.sluice(['issues', 'import', HOSTED, '99'])).code).toBe(4);

  const gate = await terminal.sluice(['issues', 'run', imported.id, '--watch', '--no-wait']);
  expect(gate.code, gate.stderr).toBe(9);
  const done = await terminal.sluice(['issues', 'approve', imported.id, '--watch']);
  expect(done.code, done.stderr).toBe(0);
  const [pull] = await host.pulls(HOSTED);
  expect(pull).toBeDefined();
  const { result } = await terminal.json<IssueWire>(['issues', 'show', imported.id]);
  expect(result?.change_request_url).toMatch(/^http/);
  expect(done.stdout).toContain(`Pull request  ${result?.change_request_url}`);
});

it('does not publish a change that runs with secrets by --yes: that needs its own approval', async () => {
  const file = join(terminal.home, 'workflow.md');
  const workflow = '```yaml file=.github/workflows/build.yaml\non: push\njobs: {}\n```\n';
  writeFileSync(file, `Build it\n\n${sampleIssue.body}\n\n${workflow}`);
  const run = ['run', '--server', '--repo', HOSTED, '--issue', file, '--yes', '--no-wait'];
  const asked = await terminal.sluice(run);
  expect(asked.code, asked.stderr).toBe(9);
  expect(asked.stderr).toContain('approved (--yes)');
  expect(asked.stderr).toContain('.github/workflows/build.yaml');
  const [, id = ''] = /The change is waiting for a decision\. .*approve ([0-9a-f]{8})/.exec(asked.stderr) ?? [];
  const issue = await terminal.json<IssueWire>(['issues', 'show', id]);
  expect(issue.gate).toMatchObject({ kind: 'publish', head_commit: expect.any(String) });
  const rejected = await terminal.sluice(['issues', 'reject', id, '--watch']);
  expect(rejected.code, rejected.stderr).toBe(8);
});

itConformsToOpenApi(() => hosted.proxy);
