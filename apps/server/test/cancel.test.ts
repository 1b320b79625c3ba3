import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IssueWire, RepoWire } from '@sluice/core';
import { until } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { type HttpSession, signUp } from './http-session.ts';
import { fixingIssue, makeBuggyRepo } from './scratch-repo.ts';
import { startScratchServer } from './scratch-server.ts';

/** Of this run alone: another one may go on beside it. */
const MARKER = `sluice-cancel-${randomUUID()}`;

/** Processes on this host whose command line holds the marker. */
function markedProcesses(marker: string): string[] {
  return readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) return false;
    try {
      return readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(marker);
    } catch {
      return false; // it ended while we looked
    }
  });
}

async function expectCancelledCleanly(
  person: HttpSession,
  run: { id: string; repoId: string; dataDir: string; marker: string },
) {
  const answer = await person.call('DELETE', `/api/issues/${run.id}`);
  expect(answer.status).toBe(204);
  expect((await person.issue(run.id)).status).toBe('cancelled');
  await until('none of its processes is left', () => markedProcesses(run.marker).length === 0);
  await until('its tree is gone', () => !treeExists(run.dataDir, run.id));
  expect((await person.call<RepoWire>('GET', `/api/repos/${run.repoId}`)).body.active_issue_id).toBeNull();
  const again = await person.call<IssueWire>('POST', '/api/issues', { repo_id: run.repoId, ...fixingIssue });
  expect(again.status).toBe(201);
  expect((await person.call('DELETE', `/api/issues/${again.body.id}`)).status).toBe(204);
  expect((await person.call('DELETE', `/api/issues/${run.id}`)).status).toBe(409);
}

/** Whether the issue's working tree is left below the data folder. */
function treeExists(dataDir: string, id: string): boolean {
  return existsSync(join(dataDir, 'workspaces', 'trees', id));
}

/** A repository whose setup or test blocks, stubbornly, while it leaves children behind. */
function blockingScript(marker: string): string {
  return `trap '' TERM INT\n(setsid sh -c 'exec -a ${marker} sleep 600' &) 2>/dev/null\nsh -c 'trap "" TERM; : ${marker}; while :; do sleep 1; done'\n`;
}

/** A test that goes on for as long as the stage is to be found at work: at the base it is in implement. */
function lastingTest(stage: string): string {
  const lasts = 'sleep 600\n';
  if (stage === 'implement') return lasts;
  const fails = `grep -qx fixed value.txt || { echo 'not ok 1 - value is fixed'; exit 1; }\n`;
  return stage === 'test' ? `${fails}${lasts}` : `${fails}echo 'ok 1 - value is fixed'\n`;
}

/** What blocks the tests at the base blocks after the approval. */
const settings = { test_before_gate: false };

async function started(environment: Record<string, string>, repoFields: Record<string, string>, marker: string) {
  const server = await startScratchServer(environment);
  const person = await signUp(server.url);
  const repo = makeBuggyRepo({ testScript: blockingScript(marker) });
  const registered = await person.call<RepoWire>('POST', '/api/repos', { url: repo.path, settings, ...repoFields });
  const created = await person.call<IssueWire>('POST', '/api/issues', { repo_id: registered.body.id, ...fixingIssue });
  return { server, person, id: created.body.id, repoId: registered.body.id, marker };
}

describe('cancelling', () => {
  it('ends an issue whose setup command blocks in prepare', async () => {
    const marker = `${MARKER}-prepare`;
    const run = await started({}, { setup_command: `sh check.sh` }, marker);
    await using server = run.server;
    await run.person.events(run.id, (event) => event.type === 'command.started');
    await until('its command runs', () => markedProcesses(marker).length > 0);
    await expectCancelledCleanly(run.person, { ...run, dataDir: server.dataDir });
  });

  it('ends an issue that awaits approval', async () => {
    const run = await started({}, {}, `${MARKER}-gate`);
    await using server = run.server;
    await run.person.reaches(run.id, 'awaiting_approval');
    expect(treeExists(server.dataDir, run.id)).toBe(true);
    await expectCancelledCleanly(run.person, { ...run, dataDir: server.dataDir });
  });

  it('ends an issue whose tests block at the base, in implement', async () => {
    const marker = `${MARKER}-implement`;
    const run = await started({}, {}, marker);
    await using server = run.server;
    await run.person.reaches(run.id, 'awaiting_approval');
    await run.person.call('POST', `/api/issues/${run.id}/approve`, { action: 'approve' });
    await run.person.events(run.id, (event) => event.type === 'command.started');
    await until('its command runs', () => markedProcesses(marker).length > 0);
    await expectCancelledCleanly(run.person, { ...run, dataDir: server.dataDir });
  });

  it('ends a queued issue that has no slot yet', async () => {
    const run = await started({ MAX_ACTIVE_PIPELINES: '1' }, {}, `${MARKER}-queued`);
    await using server = run.server;
    const other = await run.person.call<RepoWire>('POST', '/api/repos', { url: makeBuggyRepo({ name: 'other' }).path });
    const queued = await run.person.call<IssueWire>('POST', '/api/issues', { repo_id: other.body.id, ...fixingIssue });
    expect(queued.body.status).toBe('pending');
    await expectCancelledCleanly(run.person, {
      ...run,
      id: queued.body.id,
      repoId: other.body.id,
      dataDir: server.dataDir,
    });
  });

  it('ends an issue in whatever stage it is', async () => {
    const stagesAimedAt = ['prepare', 'index', 'triage', 'plan', 'implement', 'test', 'review', 'publish'];
    await using server = await startScratchServer({ MAX_ACTIVE_PIPELINES: '20' });
    const people = [await signUp(server.url), await signUp(server.url)] as const; // five repositories an hour each
    const outcomes: string[] = [];
    for (const [index, stage] of stagesAimedAt.entries()) {
      const person = index % 2 === 0 ? people[0] : people[1];
      const repo = makeBuggyRepo({ name: `repo-${stage}`, testScript: lastingTest(stage) });
      const registered = await person.call<RepoWire>('POST', '/api/repos', { url: repo.path, settings });
      const created = await person.call<IssueWire>('POST', '/api/issues', {
        repo_id: registered.body.id,
        ...fixingIssue,
      });
      const { id } = created.body;
      const late = ['implement', 'test', 'review', 'publish'].includes(stage);
      if (late) {
        await person.reaches(id, 'awaiting_approval');
        await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
      }
      await person.events(id, (event) => event.type === 'stage.started' && event.data.stage === stage);
      const answer = await person.call('DELETE', `/api/issues/${id}`);
      const issue = await person.issue(id);
      // The last two take milliseconds: the pipeline may have ended first, and then a cancel must say so.
      outcomes.push(`${stage}: ${answer.status} ${issue.status}`);
      expect(['204 cancelled', '409 completed']).toContain(`${answer.status} ${issue.status}`);
      await until(`the tree of ${stage} is gone`, () => !treeExists(server.dataDir, id));
      expect((await person.call<RepoWire>('GET', `/api/repos/${registered.body.id}`)).body.active_issue_id).toBeNull();
    }
    expect(outcomes.filter((outcome) => outcome.endsWith('204 cancelled')).length).toBeGreaterThanOrEqual(6);
  });
});
