import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Issue, Repo } from '@sluice/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../../src/local/sample-repo.ts';
import { exitCode } from '../../src/terminal/exit-code.ts';
import { shellWord } from '../../src/terminal/shell-word.ts';
import { ask, forward, headersOf } from '../forward-http.ts';
import { itConformsToOpenApi } from '../it-conforms-to-openapi.ts';
import { type ProxiedService, startProxiedService } from '../proxied-service.ts';
import { openScreen } from '../screen.ts';
import { openTerminal, PASSWORD, signUp, type Terminal } from '../terminal.ts';

// Usual way: apps/cli/test/folder-and-editor.test.ts, apps/cli/test/remote-commands.test.ts

const ENTER = '\r';
let terminal: Terminal;
let proxied: ProxiedService;
let repo: string;

beforeAll(async () => {
  terminal = await openTerminal();
  proxied = await startProxiedService(terminal);
  await signUp(terminal, proxied.service, 'ada@example.com');
  repo = await makeSampleRepo(terminal.home);
  const settings = ['draft_change_request=false', 'auto_run=false', 'follow_build=fix', 'follow_base=off'];
  const added = await terminal.sluice(['repos', 'add', ...settings.flatMap((one) => ['--set', one]), repo]);
  expect(added.code, added.stderr).toBe(exitCode.done);
});

afterAll(async () => {
  await proxied?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
});

/** An editor that writes `text` above the hint. */
function editorWith(text: string): string {
  const file = join(terminal.home, 'text.md');
  writeFileSync(file, text);
  const script = join(terminal.home, 'edit.sh');
  writeFileSync(script, `#!/bin/sh\ncat '${file}' "$1" > "$1.new" && mv "$1.new" "$1"\n`, { mode: 0o755 });
  return `'${script}'`;
}

it('asks at the gate where an issue is watched, takes the text from the editor, and does what is approved', async () => {
  const editor = editorWith(`# ${sampleIssue.title}\n\n${sampleIssue.body}\n`);
  using screen = await openScreen(['issues', 'create', '-R', 'invoice', '--watch'], {
    HOME: terminal.home,
    GIT_EDITOR: editor,
  });
  await screen.shows('Plan, revision 1');
  await screen.shows('Approve this plan?');
  screen.types(ENTER);
  await screen.shows('Done.');
  expect(await screen.ends()).toBe(exitCode.done);

  const list = await terminal.sluice(['issues', 'list', '--jq', '.items[0] | .id, .title'], { cwd: repo });
  const [id = '', title] = list.stdout.split('\n');
  expect(title).toBe(sampleIssue.title);
  expect(list.stderr).toBe('Issues of invoice, the repository of this folder. List all with: --all\n');
  expect((await terminal.sluice(['issues', 'steps', id])).stdout).toMatch(/^prepare\t1\t1\tcompleted\t/);
  expect((await terminal.sluice(['issues', 'plans', id])).stdout).toContain('Plan, revision 1');
  const late = await terminal.sluice(['issues', 'message', id, 'Too late.', '--json']);
  expect(late.code).toBe(exitCode.conflict);
  expect(JSON.parse(late.stderr)).toMatchObject({ code: expect.any(String), exit_code: exitCode.conflict });
});

it('sends nothing when the editor leaves no text or fails', async () => {
  using empty = await openScreen(['issues', 'create', '-R', 'invoice'], { HOME: terminal.home, GIT_EDITOR: 'true' });
  await empty.shows('The text is empty: nothing was sent.');
  expect(await empty.ends()).toBe(exitCode.declined);
  using failing = await openScreen(['issues', 'create', '-R', 'invoice'], { HOME: terminal.home, GIT_EDITOR: 'false' });
  await failing.shows('The editor "false" failed');
  expect(await failing.ends()).toBe(exitCode.declined);
  const removing = { HOME: terminal.home, VISUAL: '', EDITOR: 'rm' };
  using removed = await openScreen(['issues', 'create', '-R', 'invoice'], removing);
  await removed.shows('The text is empty: nothing was sent.');
  expect(await removed.ends()).toBe(exitCode.declined);
});

it('looks for the repository or the issue before the editor opens', async () => {
  const opened = join(terminal.home, 'opened');
  const env = { HOME: terminal.home, GIT_EDITOR: `touch ${shellWord(opened)}; false` };
  const unknown = '019aa000-0000-7000-8000-000000000001';
  for (const words of [['create', '-R', 'none'], ...['edit', 'instruct', 'message'].map((name) => [name, unknown])]) {
    using screen = await openScreen(['issues', ...words], env);
    expect(await screen.ends(), words.join(' ')).toBe(exitCode.notFound);
  }
  expect(existsSync(opened)).toBe(false);
});

it('keeps a text that the server refuses, and says how to send it again', async () => {
  const env = { HOME: terminal.home, GIT_EDITOR: editorWith('Use the helper.') };
  const id = (await terminal.sluice(['issues', 'list', '--jq', '.items[0].id'])).stdout.trim();
  using screen = await openScreen(['issues', 'message', id], env);
  await screen.shows('Your text is kept. Send it again with: ');
  const folder = join(terminal.home, '.local/state/sluice/texts');
  const [name = '', ...others] = readdirSync(folder); // what was sent above is gone
  expect(others).toEqual([]);
  expect(readFileSync(join(folder, name), 'utf8')).toBe('Use the helper.\n');
  await screen.shows(`sluice issues message ${id} - < ${shellWord(join(folder, name))}`);
  expect(await screen.ends()).toBe(exitCode.conflict);
  const killed = { HOME: terminal.home, GIT_EDITOR: `sh -c 'echo Half a text. > "$0"; kill -9 $$'` };
  using broken = await openScreen(['issues', 'create', '-R', 'invoice'], killed);
  await broken.shows('Your text is kept. Send it again with: ');
  expect(await broken.ends()).toBe(exitCode.declined);
  expect(readdirSync(folder)).toHaveLength(2);
});

it('creates one issue when the answer was lost and the text is sent again', async () => {
  const losesAnswers = createServer(async (req, res) => {
    if (req.url?.includes('issues.create') !== true) return forward(proxied.service.url, req, res);
    const asked = { method: 'POST', headers: headersOf(req), body: await buffer(req) };
    await buffer(await ask(new URL(req.url, proxied.service.url), asked));
    res.destroy();
  });
  await once(losesAnswers.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(losesAnswers.address() as AddressInfo).port}`;
  const state = join(terminal.home, 'state');
  const env = { XDG_STATE_HOME: state, SLUICE_URL: url };
  await terminal.sluice(['login', '--email', 'ada@example.com', '--password-stdin'], { input: PASSWORD, env });
  const editor = editorWith(`${sampleIssue.title}\n\n${sampleIssue.body}`);
  const create = ['issues', 'create', '-R', 'invoice', '--label', 'lost'];
  using screen = await openScreen(create, { HOME: terminal.home, GIT_EDITOR: editor, ...env });
  expect(await screen.ends()).toBe(exitCode.unexpected);
  await terminal.sluice(['logout'], { env });
  losesAnswers.close().closeAllConnections();

  const file = join(state, 'sluice/texts', readdirSync(join(state, 'sluice/texts'))[0] ?? '');
  const again = screen.lineAfter('Send it again with: ');
  const key = /--idempotency-key ([0-9a-f-]{36}) /.exec(again)?.[1] ?? '';
  expect(again).toBe(`sluice ${create.join(' ')} --idempotency-key ${key} --issue ${shellWord(file)}`);
  const issue = await terminal.json<Issue>([...create, '--idempotency-key', key, '--issue', file]);
  expect(issue).toMatchObject({ title: sampleIssue.title, labels: ['lost'] });
  const all = await terminal.json<{ items: Issue[] }>([
    'issues',
    'list',
    '-R',
    'invoice',
    '--status',
    'running',
    'pending',
    'awaiting_approval',
  ]);
  expect(all.items.map(({ id }) => id)).toEqual([issue.id]);
  expect((await terminal.sluice(['issues', 'cancel', issue.id, '--yes'])).code).toBe(exitCode.done);
});

it('creates an issue from a template, with another title or text if one is given, and lists the templates there are', async () => {
  const create = ['issues', 'create', '-R', 'invoice', '--template'];
  const none = await terminal.sluice([...create, 'Bug']);
  expect([none.code, none.stdout]).toEqual([exitCode.notFound, '']);
  expect(none.stderr).toContain('The repository invoice has no issue template "Bug". It has none: add one');

  const { title, body } = sampleIssue;
  const issue_templates = [
    { name: 'Bug', title, body },
    { name: 'Chore', title: '', body },
  ];
  const { id } = await terminal.json<Repo>(['repos', 'show', 'invoice']);
  const input = JSON.stringify({ settings: { issue_templates } });
  await terminal.sluice(['api', 'PATCH', `repos/${id}`, '--input', '-'], { input });

  const unknown = await terminal.sluice([...create, 'bug']);
  expect([unknown.code, unknown.stderr]).toEqual([
    exitCode.notFound,
    'sluice: The repository invoice has no issue template "bug". It has: "Bug", "Chore".\n',
  ]);
  const untitled = await terminal.sluice([...create, 'Chore']);
  expect([untitled.code, untitled.stderr]).toEqual([
    exitCode.usage,
    expect.stringContaining('The issue template "Chore" has no title: pass --title TITLE.'),
  ]);
  const replaced = await terminal.sluice([...create, 'Nope', '--issue', '-'], { input: 'A title' });
  expect(replaced.stderr).toContain('has no issue template "Nope"'); // also where a file replaces all of it
  using noTitle = await openScreen([...create, 'Chore'], { HOME: terminal.home, GIT_EDITOR: editorWith('\n') });
  await noTitle.shows("The text has no title: write the issue's title above it.");
  expect(await noTitle.ends()).toBe(exitCode.usage);
  const other = `${body}\n\nAnd nothing else.`;
  const created = [
    await terminal.json<Issue>([...create, 'Bug']),
    await terminal.json<Issue>([...create, 'Chore', '--title', 'Tidy up']),
    await terminal.json<Issue>([...create, 'Bug', '--body', other]),
    JSON.parse((await terminal.sluice([...create, 'Bug', '--json'], { input: other })).stdout) as Issue,
  ];
  expect(created).toMatchObject([
    { title, body },
    { title: 'Tidy up', body },
    { title, body: other },
    { title, body: other },
  ]);
  using screen = await openScreen([...create, 'Chore'], {
    HOME: terminal.home,
    GIT_EDITOR: editorWith('Written above'),
  });
  expect(await screen.ends()).toBe(exitCode.done);
  const { items } = await terminal.json<{ items: Issue[] }>(['issues', 'list', '-R', 'invoice', '-L', '1']);
  expect(items).toMatchObject([{ title: 'Written above', body: body.trim() }]);
  for (const issue of [...created, ...items].toReversed()) {
    expect((await terminal.sluice(['issues', 'cancel', issue.id, '--yes'])).code).toBe(exitCode.done);
  }
});

it('prints the issue as JSON when it ends at the gate with --no-wait', async () => {
  const run = ['run', '--url', proxied.service.url, '--repo', repo, '--issue', '-', '--no-wait', '--json'];
  const { code, stdout, stderr } = await terminal.sluice(run, { input: `${sampleIssue.title}\n\n${sampleIssue.body}` });
  expect(code, stderr).toBe(exitCode.waitsForApproval);
  const issue = JSON.parse(stdout) as Issue;
  expect(issue).toMatchObject({ status: 'awaiting_approval', plan: { revision: 1 }, title: sampleIssue.title });
  const edited = await terminal.sluice(['issues', 'edit', issue.id, '--title', 'Too late']);
  expect(edited.code).toBe(exitCode.conflict);
  const env = { HOME: terminal.home, GIT_EDITOR: editorWith('x'.repeat(8_001)) };
  using tooLong = await openScreen(['issues', 'instruct', issue.id], env);
  await tooLong.shows(`Send it again with: sluice issues instruct ${issue.id} --revision 1 - < `);
  expect(await tooLong.ends()).toBe(exitCode.usage);
  expect((await terminal.sluice(['issues', 'reject', issue.id])).code).toBe(exitCode.done);
});

itConformsToOpenApi(() => proxied.proxy);
