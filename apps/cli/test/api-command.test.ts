import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Issue, Repo } from '@sluice/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../src/local/sample-repo.ts';
import { exitCode } from '../src/terminal/exit-code.ts';
import { itConformsToOpenApi } from './it-conforms-to-openapi.ts';
import { type ProxiedService, startProxiedService } from './proxied-service.ts';
import { openTerminal, signUp, type Terminal } from './terminal.ts';

let terminal: Terminal;
let proxied: ProxiedService;

beforeAll(async () => {
  terminal = await openTerminal();
  proxied = await startProxiedService(terminal);
  await signUp(terminal, proxied.service, 'ada@example.com');
});

afterAll(async () => {
  await proxied?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
});

const api = (...args: string[]) => terminal.sluice(['api', ...args]);

it('sends fields, bodies and headers with the session, and prints answers, pages and events', async () => {
  const url = await makeSampleRepo(terminal.home);
  const repo = JSON.parse(
    (await api('repos', '-f', `url=${url}`, '-F', 'settings[allow_red_base]=true')).stdout,
  ) as Repo;
  expect(repo).toMatchObject({ name: 'invoice', settings: { allow_red_base: true } });
  const file = join(terminal.home, 'issue.json');
  writeFileSync(file, JSON.stringify({ repo_id: repo.id, ...sampleIssue }));
  const key = ['-H', 'Idempotency-Key: once-only'];
  const created = await api('POST', '/api/issues', '--input', file, ...key, '-i');
  expect(created.stdout, created.stderr).toMatch(/^HTTP\/1\.1 201 /);
  expect(created.stdout).not.toContain('set-cookie');
  const again = await api('POST', 'issues', '--input', file, ...key);
  const issue = JSON.parse(again.stdout) as Issue;
  expect(created.stdout).toContain(issue.id);

  await api(`issues/${issue.id}`, '-X', 'DELETE');
  const bodyOfTwoLines = 'x\u2028y';
  const second = await api(
    'issues',
    '-f',
    `repo_id=${repo.id}`,
    '-f',
    'title=Second',
    '-f',
    `body=${bodyOfTwoLines}`,
    '--jq',
    '.title',
  );
  expect(second.stdout, second.stderr).toBe('Second\n');
  const pages = await api('issues', '-X', 'GET', '-F', 'limit=1', '--paginate', '--jq', '.items[].title');
  expect(pages.stdout).toBe(`Second\n${sampleIssue.title}\n`);

  const events = await api(`issues/${issue.id}/events`);
  const types = events.stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types.at(0)).toBe('issue.created');
  expect(types).toContain('issue.status');
  const newest = JSON.parse((await api('issues?limit=1', '--jq', '.items[0]')).stdout) as Issue;
  await api(`issues/${newest.id}`, '-X', 'DELETE'); // ends the stream
  const [first = ''] = (await api(`issues/${newest.id}/events`, '--jq', '.data.issue.body')).stdout.split('\n');
  expect(first).toBe(bodyOfTwoLines);
  const diff = await api(`issues/${issue.id}/diff`, '-H', 'accept: text/x-diff');
  expect(diff).toMatchObject({ code: exitCode.done, stdout: '' });
});

it('prints the answer of a refusal to stdout, and says which by the exit code', async () => {
  const unknown = await api('issues/019aa000-0000-7000-8000-000000000001');
  expect(unknown).toMatchObject({ code: exitCode.notFound, stderr: 'sluice: There is no such issue. (HTTP 404)\n' });
  expect(JSON.parse(unknown.stdout)).toMatchObject({ code: 'issue_not_found' });
  expect((await api('https://elsewhere.example.com/api/issues')).code).toBe(exitCode.usage);
  using nobody = await openTerminal();
  const refused = await nobody.sluice(['api', 'issues', '--url', proxied.service.url]);
  expect(refused.code).toBe(exitCode.notLoggedIn);
  expect(refused.stderr).toContain(`Log in: sluice login --url ${proxied.service.url}`);
});

itConformsToOpenApi(() => proxied.proxy);
