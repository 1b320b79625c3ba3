import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IssueWire } from '@sluice/core/issue';
import { untilFound } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../src/local/sample-repo.ts';
import { itConformsToOpenApi } from './it-conforms-to-openapi.ts';
import { openRemoteScene, type RemoteScene, shortOf } from './remote-scene.ts';
import { openTerminal, PASSWORD, signUp } from './terminal.ts';

let scene: RemoteScene;
let ada: RemoteScene['ada'];
let eve: RemoteScene['eve'];
let service: RemoteScene['service'];
let repo: string;

beforeAll(async () => {
  scene = await openRemoteScene();
  ({ ada, eve, service, repo } = scene);
});

afterAll(() => scene?.[Symbol.asyncDispose]());

describe('the overview', () => {
  it('shows an operator the workers and the slots, and tells others who may see it', async () => {
    const overview = await ada.json<{ workers: { state: string }[] }>(['admin', 'overview']);
    expect(overview.workers).toMatchObject([{ state: 'running' }]);
    const shown = await ada.sluice(['admin', 'overview']);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^Version\n.*\n\nReadiness\ndatabase up /)]);
    const refused = await eve.sluice(['admin', 'overview']);
    expect([refused.code, refused.stdout]).toEqual([4, '']);
    expect(refused.stderr).toContain('sluice admin users grant-operator');
  });
});

describe('a session', () => {
  it('is stored where no other user can read it, and identifies the user', async () => {
    const folder = join(ada.home, '.local/state/sluice');
    const [file = ''] = readdirSync(join(folder, 'sessions'));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'sessions', file)).mode & 0o777).toBe(0o600);
    expect(await ada.json(['whoami'])).toMatchObject({ email: 'ada@example.com' });
    expect((await ada.sluice(['whoami'])).stdout).toBe(`ada@example.com at ${service.url}\n`);
  });

  it('begins only with the right password, and leaves no trace otherwise', async () => {
    using bob = await openTerminal();
    const login = ['login', '--url', service.url, '--email', 'ada@example.com', '--password-stdin'];
    const wrong = await bob.sluice(login, { input: 'not that one\n' });
    expect({ code: wrong.code, stdout: wrong.stdout }).toEqual({ code: 3, stdout: '' });
    expect(wrong.stderr).toBe('sluice: The e-mail or the password is wrong.\n');
    expect(existsSync(join(bob.home, '.local/state/sluice/last-server'))).toBe(false);
    const right = await bob.sluice(login, { input: PASSWORD });
    expect(right.code, right.stderr).toBe(0);
    expect(readFileSync(join(bob.home, '.local/state/sluice/last-server'), 'utf8')).toBe(`${service.url}\n`);
  });

  it('ends on the server and here, after which the stored cookie is rejected', async () => {
    using bob = await openTerminal();
    await signUp(bob, service, 'bob@example.com');
    const folder = join(bob.home, '.local/state/sluice/sessions');
    const [file = ''] = readdirSync(folder);
    const cookie = readFileSync(join(folder, file));
    expect((await bob.sluice(['logout'])).stderr).toBe(`Logged out of ${service.url}.\n`);
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, file), cookie);
    const stale = await bob.sluice(['whoami', '--url', service.url]);
    expect(stale.code).toBe(3);
    expect(stale.stderr).toBe(
      `sluice: You are not logged in to ${service.url}, or the session has ended. Log in: sluice login --url ${service.url}\n`,
    );
    expect((await bob.sluice(['logout', '--url', service.url])).code).toBe(0);
  });

  it('uses --url, then SLUICE_URL, then the last login', async () => {
    const dead = 'http://127.0.0.1:1';
    expect((await ada.sluice(['whoami'], { env: { SLUICE_URL: dead } })).code).toBe(1);
    const overridden = await ada.sluice(['whoami', '--url', `${service.url}/`], { env: { SLUICE_URL: dead } });
    expect(overridden.code, overridden.stderr).toBe(0);
    for (const wrong of ['ftp://x', 'http://a:b@x', 'http://x/?a=b']) {
      expect((await ada.sluice(['whoami', '--url', wrong])).code, wrong).toBe(2);
    }
  });
});

describe('repos', () => {
  it('are found by name, by URL and by any unique ending of the id', async () => {
    const { items } = await ada.json<{ items: { id: string; url: string }[] }>(['repos', 'list']);
    const [{ id, url }] = items as [{ id: string; url: string }];
    for (const given of ['invoice', url, id, id.slice(-6), id.slice(-6).toUpperCase()]) {
      expect(await ada.json(['repos', 'show', given])).toMatchObject({ id });
    }
    for (const given of ['nothing', 'ffffffffffff', '']) {
      expect((await ada.sluice(['repos', 'show', given])).code, given).toBe(4);
    }
    expect((await eve.sluice(['repos', 'show', id])).code).toBe(4);
    expect((await eve.sluice(['repos', 'list'])).stdout).toBe('');
  });

  it('are refused when already registered, missing, or without a code host', async () => {
    expect((await ada.sluice(['repos', 'add', repo])).code).toBe(5);
    expect((await ada.sluice(['repos', 'add', './nowhere'])).code).toBe(2);
    expect((await ada.sluice(['repos', 'add', 'acme/shop'])).code).toBe(5);
    expect((await ada.sluice(['repos', 'list', '--codehost'])).code).toBe(5);
  });

  it('are removed only with --yes when there is no terminal', async () => {
    const other = await makeSampleRepo(join(ada.home, 'other'));
    const { id } = await ada.json<{ id: string }>(['repos', 'add', other, '--test', 'node --test']);
    const unasked = await ada.sluice(['repos', 'remove', id]);
    expect([unasked.code, unasked.stdout]).toEqual([2, '']);
    expect(unasked.stderr).toMatch(
      /^sluice: Remove invoice and its issues\? There is no terminal to ask at: pass --yes to confirm\.\n$/,
    );
    expect((await ada.sluice(['repos', 'remove', id, '--yes'])).code).toBe(0);
    expect((await ada.sluice(['repos', 'show', id])).code).toBe(4);
  });
});

describe('issues', () => {
  it('go from a file to a tested branch, one command at a time', async () => {
    const issue = await scene.create();
    expect(issue).toMatchObject({ title: sampleIssue.title, origin: 'api' });
    const id = shortOf(issue);
    const second = ['issues', 'create', '--repo', 'invoice', '--issue', 'bug.md'];
    const busy = await ada.sluice([...second, '--no-queue']);
    expect([busy.code, busy.stdout]).toEqual([5, '']);
    const inWords = await ada.sluice([
      'issues',
      'create',
      '-R',
      'invoice',
      '-t',
      'It should be nicer',
      '-b',
      'Somehow.',
    ]);
    expect([inWords.code, inWords.stdout]).toEqual([10, '']);
    expect(inWords.stderr).toContain('This issue needs a model, and none is configured on the server.');
    const queued = await ada.sluice([...second, '--json']);
    expect(queued.code, queued.stderr).toBe(0);
    expect(queued.stderr).toContain(`The issue waits for issue ${id} on this repository.`);
    const waiting: IssueWire = JSON.parse(queued.stdout);
    expect(waiting).toMatchObject({ status: 'pending', waits_for_repo: true });
    expect(queued.stderr).toContain(`sluice issues cancel ${shortOf(waiting)}`);
    const given = await ada.sluice(['issues', 'run', shortOf(waiting)]);
    expect([given.code, given.stderr]).toEqual([0, expect.stringContaining(`waits for issue ${id}`)]);
    expect((await ada.sluice(['issues', 'cancel', shortOf(waiting), '--yes'])).code).toBe(0);

    const running = await ada.start(['run', '--server', '--repo', repo, '--issue', 'bug.md']);
    const behind = await untilFound(async () => {
      const { items } = await ada.json<{ items: IssueWire[] }>(['issues', 'list', '--status', 'pending']);
      return items.find((one) => one.waits_for_repo);
    });
    const ended = once(running, 'exit');
    running.kill('SIGINT');
    await ended;
    expect((await ada.sluice(['issues', 'cancel', shortOf(behind), '--yes'])).code).toBe(0);

    const waits = await ada.sluice(['issues', 'watch', id, '--no-wait']);
    expect(waits.code, waits.stderr).toBe(9);
    expect(waits.stderr).toContain(`The plan is waiting for a decision. Decide with: sluice issues approve ${id}`);
    expect((await ada.sluice(['issues', 'list', '--status', 'awaiting_approval'])).stdout).toContain(id);
    expect((await ada.sluice(['issues', 'list', '--status', 'completed'])).stdout).toBe('');
    expect((await ada.sluice(['issues', 'list', '--status', 'nonsense'])).code).toBe(2);
    expect((await ada.sluice(['issues', 'show', id])).stdout).toContain('Plan, revision 1');

    const instructed = await ada.sluice(['issues', 'instruct', id, 'Mind the rounding.', '--watch', '--no-wait']);
    expect(instructed.code, instructed.stderr).toBe(9);
    const stale = await ada.sluice(['issues', 'approve', id, '--revision', '1']);
    expect(stale.code, stale.stderr).toBe(5);

    const done = await ada.sluice(['issues', 'approve', id, '--watch']);
    expect(done.code, done.stderr).toBe(0);
    expect(done.stdout).toMatch(/^Done\. /);

    const patch = await ada.sluice(['issues', 'diff', id]);
    expect(patch.stdout).toContain('+  return Math.round(full * (1 - discountPercent / 100));');
    expect(await ada.json(['issues', 'diff', id])).toMatchObject({ diff: patch.stdout });
    expect((await ada.sluice(['issues', 'log', id])).stdout).toContain('a discount takes its percentage off the line');
    const parts = (await ada.sluice(['issues', 'log', id, '--json'])).stdout.trim().split('\n');
    expect(JSON.parse(parts[0] ?? '')).toMatchObject({ seq: 1, text: expect.any(String) });
    const hits = await ada.json<{ items: { path: string }[] }>(['repos', 'search', 'invoice', 'discount', 'line']);
    expect(hits.items.map(({ path }) => path)).toContain('src/invoice.js');

    expect((await eve.sluice(['issues', 'show', issue.id])).code).toBe(4);
    expect((await ada.sluice(['issues', 'retry', id])).code).toBe(5);
    expect((await ada.sluice(['issues', 'delete', id])).code).toBe(2);
    expect((await ada.sluice(['issues', 'delete', id, '--yes'])).code).toBe(0);
    expect((await ada.sluice(['issues', 'show', id])).code).toBe(4);
  });
});

itConformsToOpenApi(() => scene.proxy);
