import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IssueWire } from '@sluice/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../src/local/sample-repo.ts';
import { exitCode } from '../src/terminal/exit-code.ts';
import { itConformsToOpenApi } from './it-conforms-to-openapi.ts';
import { type ProxiedService, startProxiedService } from './proxied-service.ts';
import { openScreen } from './screen.ts';
import { openTerminal, signUp, type Terminal } from './terminal.ts';

const WORKFLOW = '.github/workflows/build.yaml';
const DOWN = '\x1b[B';
const ENTER = '\r';

let terminal: Terminal;
let proxied: ProxiedService;
let repo: string;

beforeAll(async () => {
  terminal = await openTerminal();
  proxied = await startProxiedService(terminal);
  await signUp(terminal, proxied.service, 'ada@example.com');
  repo = await makeSampleRepo(terminal.home);
  await terminal.sluice(['repos', 'add', repo]);
  const workflow = `\`\`\`yaml file=${WORKFLOW}\non: push\njobs: {}\n\`\`\`\n`;
  writeFileSync(join(terminal.home, 'workflow.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}\n\n${workflow}`);
});

afterAll(async () => {
  await proxied?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
});

const branches = () => execFileSync('git', ['-C', repo, 'branch', '--list', 'sluice/*'], { encoding: 'utf8' });

/** An issue whose change holds a workflow, with its plan approved and its change made. */
async function atPublishGate(): Promise<IssueWire> {
  const run = ['run', '--repo', repo, '--url', proxied.service.url, '--issue', 'workflow.md', '--yes', '--no-wait'];
  const asked = await terminal.sluice(run);
  expect(asked.code, asked.stderr).toBe(exitCode.waitsForApproval);
  const { items } = await terminal.json<{ items: IssueWire[] }>(['issues', 'list', '--status', 'awaiting_approval']);
  const [issue] = items;
  if (issue === undefined) throw new Error(`No issue waits: ${asked.stderr}`);
  expect(issue.gate).toMatchObject({ kind: 'publish' });
  // A list leaves out what the user's approval would count for.
  return terminal.json<IssueWire>(['issues', 'show', issue.id]);
}

it('publishes at a terminal only the commit that it has shown and the user has confirmed', async () => {
  const { id, gate } = await atPublishGate();
  const approve = () => openScreen(['issues', 'approve', id, '--watch'], { HOME: terminal.home });
  for (const no of ['n', '']) {
    using refused = await approve();
    await refused.shows(WORKFLOW);
    await refused.shows(`Publish commit ${gate?.head_commit}?`);
    refused.types(no, ENTER);
    expect(await refused.ends()).toBe(exitCode.declined);
  }
  expect(branches()).toBe('');
  using confirmed = await approve();
  await confirmed.shows(`Publish commit ${gate?.head_commit}?`);
  confirmed.types('y', ENTER);
  expect(await confirmed.ends()).toBe(exitCode.done);
  const { result } = await terminal.json<IssueWire>(['issues', 'show', id]);
  expect(result?.head_commit).toBe(gate?.head_commit);
});

it('publishes without a terminal only the commit that the command names', async () => {
  const { id, gate } = await atPublishGate();
  const head = gate?.head_commit ?? '';
  // As when the user repeats the command that approved the plan.
  for (const repeated of [[], ['--revision', '1']]) {
    const refused = await terminal.sluice(['issues', 'approve', id, ...repeated]);
    expect(refused.code, refused.stderr).toBe(exitCode.waitsForApproval);
    expect(refused.stderr).toContain(WORKFLOW);
    expect(refused.stderr).toContain(`--commit ${head}`);
  }
  expect((await terminal.sluice(['issues', 'approve', id, '--yes'])).code).toBe(exitCode.usage);
  const other = await terminal.sluice(['issues', 'approve', id, '--commit', 'd'.repeat(40)]);
  expect(other.code, other.stderr).toBe(exitCode.conflict);
  expect((await terminal.json<IssueWire>(['issues', 'show', id])).gate).toEqual(gate);
  const approved = await terminal.sluice(['issues', 'approve', id, '--commit', head, '--watch']);
  expect(approved.code, approved.stderr).toBe(exitCode.done);
});

it('asks for the commit that it shows when `sluice run` comes to the gate', async () => {
  const run = ['run', '--repo', repo, '--url', proxied.service.url, '--issue', join(terminal.home, 'workflow.md')];
  using screen = await openScreen(run, { HOME: terminal.home });
  await screen.shows('Approve this plan?');
  screen.types(ENTER);
  await screen.shows(WORKFLOW);
  await screen.shows('The change: 2 files');
  await screen.shows('Publish commit');
  screen.types(DOWN, DOWN, ENTER);
  expect(await screen.ends()).toBe(exitCode.declined);
});

itConformsToOpenApi(() => proxied.proxy);
