import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Repo } from '@sluice/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSampleRepo } from '../src/local/sample-repo.ts';
import { exitCode } from '../src/terminal/exit-code.ts';
import { itConformsToOpenApi } from './it-conforms-to-openapi.ts';
import { type ProxiedService, startProxiedService } from './proxied-service.ts';
import { openTerminal, PASSWORD, signUp, type Terminal } from './terminal.ts';

let terminal: Terminal;
let proxied: ProxiedService;
let repo: string;

beforeAll(async () => {
  terminal = await openTerminal();
  proxied = await startProxiedService(terminal);
  await signUp(terminal, proxied.service, 'ada@example.com');
  repo = await makeSampleRepo(terminal.home);
});

afterAll(async () => {
  await proxied?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
});

it('takes the repository of the current folder, by its path or by a remote, and says what to do where there is none', async () => {
  const here = { cwd: join(repo, 'src') };
  const none = await terminal.sluice(['repos', 'show']);
  expect(none.code).toBe(exitCode.usage);
  expect(none.stderr).toContain('is in no git repository, so name one of yours: --repo NAME');
  const unknown = await terminal.sluice(['repos', 'show'], here);
  expect(unknown.code).toBe(exitCode.notFound);
  expect(unknown.stderr).toContain(`The repository in ${repo} is not registered`);

  const added = await terminal.json<Repo>([
    'repos',
    'add',
    '--set',
    'draft_change_request=false',
    '--set',
    'auto_run=false',
    repo,
  ]);
  expect(added.settings).toMatchObject({ draft_change_request: false, allow_red_base: false });
  const follow = [
    '--set',
    'follow_build=fix',
    '--set',
    'follow_base=off',
    '--set',
    'review_bots=lint[bot], style[bot]',
  ];
  expect((await terminal.json<Repo>(['repos', 'edit', ...follow, repo])).settings).toMatchObject({
    ...{ follow_build: 'fix', follow_base: 'off', review_bots: ['lint[bot]', 'style[bot]'] },
  });
  expect((await terminal.sluice(['repos', 'show', repo])).stdout).toContain('review_bots=lint[bot],style[bot]');
  const unfollow = ['repos', 'edit', '--set', 'review_bots=null', repo];
  expect((await terminal.json<Repo>(unfollow)).settings.review_bots).toEqual([]);
  expect(await terminal.json(['repos', 'show'], here)).toMatchObject({ id: added.id });
  expect(await terminal.json(['repos', 'show', repo])).toMatchObject({ id: added.id });
  const clone = join(terminal.home, 'clone');
  execFileSync('git', ['clone', '--quiet', repo, clone]);
  expect(await terminal.json(['repos', 'show'], { cwd: clone })).toMatchObject({ id: added.id });

  const edit = ['repos', 'edit', '--base', 'main', '--set', 'allow_red_base=true', '--instructions', 'Be brief.'];
  expect(await terminal.json(edit, here)).toMatchObject({
    instructions: 'Be brief.',
    settings: { allow_red_base: true },
  });
  const unset = ['repos', 'edit', '--unset', 'instructions', '--set', 'allow_red_base=false', '--jq', '.instructions'];
  expect((await terminal.sluice(unset, here)).stdout).toBe('null\n');
  expect((await terminal.sluice(['repos', 'edit'], here)).code).toBe(exitCode.usage);
});

it('changes the password, and ends the sessions elsewhere', async () => {
  using other = await openTerminal();
  const login = ['login', '--url', proxied.service.url, '--email', 'ada@example.com', '--password-stdin'];
  await other.sluice(login, { input: PASSWORD });
  const list = await other.json<{ items: unknown[] }>(['sessions', 'list']);
  expect(list.items.length).toBeGreaterThan(1);
  expect((await other.sluice(['sessions', 'end', '--others'])).stderr).toBe('Ended 1 session.\n');
  expect((await terminal.sluice(['whoami'])).code).toBe(exitCode.notLoggedIn);
  const next = 'another long passphrase';
  const change = await other.sluice(['account', 'password', '--password-stdin'], { input: `${PASSWORD}\n${next}\n` });
  expect(change.code, change.stderr).toBe(exitCode.done);
  expect((await terminal.sluice(login, { input: PASSWORD })).code).toBe(exitCode.notLoggedIn);
  expect((await terminal.sluice(login, { input: next })).code).toBe(exitCode.done);
});

itConformsToOpenApi(() => proxied.proxy);
