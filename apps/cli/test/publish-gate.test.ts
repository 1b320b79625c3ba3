import type { IssueWire } from '@sluice/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exitCode } from '../src/terminal/exit-code.ts';
import { itConformsToOpenApi } from './it-conforms-to-openapi.ts';
import { openWorkflowScene, WORKFLOW, type WorkflowScene } from './workflow-scene.ts';

let scene: WorkflowScene;
let terminal: WorkflowScene['terminal'];

beforeAll(async () => {
  scene = await openWorkflowScene();
  ({ terminal } = scene);
});

afterAll(() => scene?.[Symbol.asyncDispose]());

it('publishes without a terminal only the commit that the command names', async () => {
  const { id, gate } = await scene.atPublishGate();
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

itConformsToOpenApi(() => scene.proxy);
