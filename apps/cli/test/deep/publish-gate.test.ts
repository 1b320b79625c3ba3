import { join } from 'node:path';
import type { IssueWire } from '@sluice/core/issue';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exitCode } from '../../src/terminal/exit-code.ts';
import { itConformsToOpenApi } from '../it-conforms-to-openapi.ts';
import { openScreen } from '../screen.ts';
import { openWorkflowScene, WORKFLOW, type WorkflowScene } from '../workflow-scene.ts';

// Usual way: apps/cli/test/remote-commands.test.ts, packages/worker/test/publish-gate.test.ts

const DOWN = '\x1b[B';
const ENTER = '\r';

let scene: WorkflowScene;
let terminal: WorkflowScene['terminal'];

beforeAll(async () => {
  scene = await openWorkflowScene();
  ({ terminal } = scene);
});

afterAll(() => scene?.[Symbol.asyncDispose]());

it('publishes at a terminal only the commit that it has shown and the user has confirmed', async () => {
  const { id, gate } = await scene.atPublishGate();
  const approve = () => openScreen(['issues', 'approve', id, '--watch'], { HOME: terminal.home });
  for (const no of ['n', '']) {
    using refused = await approve();
    await refused.shows(WORKFLOW);
    await refused.shows(`Publish commit ${gate?.head_commit}?`);
    refused.types(no, ENTER);
    expect(await refused.ends()).toBe(exitCode.declined);
  }
  expect(scene.branches()).toBe('');
  using confirmed = await approve();
  await confirmed.shows(`Publish commit ${gate?.head_commit}?`);
  confirmed.types('y', ENTER);
  expect(await confirmed.ends()).toBe(exitCode.done);
  const { result } = await terminal.json<IssueWire>(['issues', 'show', id]);
  expect(result?.head_commit).toBe(gate?.head_commit);
});

it('publishes without a terminal only the commit that the command names', async () => {
  const { id, gate } = await scene.atPublishGate();
  const head = gate?.head_commit ?? '';
  // A user may repeat the command that approved the plan.
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
  const run = ['run', '--repo', scene.repo, '--url', scene.service.url, '--issue', join(terminal.home, 'workflow.md')];
  using screen = await openScreen(run, { HOME: terminal.home });
  await screen.shows('Approve this plan?');
  screen.types(ENTER);
  await screen.shows(WORKFLOW);
  await screen.shows('The change: 2 files');
  await screen.shows('Publish commit');
  screen.types(DOWN, DOWN, ENTER);
  expect(await screen.ends()).toBe(exitCode.declined);
});

itConformsToOpenApi(() => scene.proxy);
