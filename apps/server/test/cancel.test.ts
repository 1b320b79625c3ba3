import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IssueWire, RepoWire } from '@sluice/core';
import { describe, expect, it } from 'vitest';
import { type HttpSession, signUp } from './http-session.ts';
import { fixingIssue, makeBuggyRepo } from './scratch-repo.ts';
import { startScratchServer } from './scratch-server.ts';

const MARKER = 'sluice-cancel-marker';

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

async function isGone(condition: () => boolean, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline) {
    if (condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return condition();
}

async function expectCancelledCleanly(
  person: HttpSession,
  run: { id: string; repoId: string; dataDir: string; marker: string },
) {
  const answer = await person.call('DELETE', `/api/issues/${run.id}`);
  expect(answer.status).toBe(204);
  expect((await person.issue(run.id)).status).toBe('cancelled');
  expect(await isGone(() => markedProcesses(run.marker).length === 0, 5_000)).toBe(true);
  expect(await isGone(() => !treeExists(run.dataDir, run.id), 5_000)).toBe(true);
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

async function started(environment: Record<string, string>, repoFields: Record<string, string>, marker: string) {
  const server = await startScratchServer(environment);
  const person = await signUp(server.url);
  const repo = makeBuggyRepo({ testScript: blockingScript(marker) });
  const registered = await person.call<RepoWire>('POST', '/api/repos', { url: repo.path, ...repoFields });
  const created = await person.call<IssueWire>('POST', '/api/issues', { repo_id: registered.body.id, ...fixingIssue });
  return { server, person, id: created.body.id, repoId: registered.body.id, marker };
}

describe('cancelling', () => {
  it('ends an issue whose setup command blocks in prepare', async () => {
    const marker = `${MARKER}-prepare`;
    const run = await started({}, { setup_command: `sh check.sh` }, marker);
    await using server = run.server;
    await run.person.events(run.id, (event) => event.type === 'command.started');
    expect(await isGone(() => markedProcesses(marker).length > 0, 5_000)).toBe(true);
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
    expect(await isGone(() => markedProcesses(marker).length > 0, 5_000)).toBe(true);
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
      const repo = makeBuggyRepo({ name: `repo-${stage}` });
      const registered = await person.call<RepoWire>('POST', '/api/repos', { url: repo.path });
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
      // The last stages take milliseconds: the pipeline may have ended first, and then a cancel must say so.
      outcomes.push(`${stage}: ${answer.status} ${issue.status}`);
      expect(['204 cancelled', '409 completed']).toContain(`${answer.status} ${issue.status}`);
      expect(await isGone(() => !treeExists(server.dataDir, id), 5_000), stage).toBe(true);
      expect((await person.call<RepoWire>('GET', `/api/repos/${registered.body.id}`)).body.active_issue_id).toBeNull();
    }
    expect(outcomes.filter((outcome) => outcome.endsWith('204 cancelled')).length).toBeGreaterThanOrEqual(6);
  });
});
