import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { until } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { expectCancelledCleanly, MARKER, markedProcesses, settings, started, treeExists } from '../cancel-scene.ts';
import { signUp } from '../http-session.ts';
import { fixingIssue, makeBuggyRepo } from '../scratch-repo.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: apps/server/test/cancel.test.ts

/** A test that goes on for as long as the stage is to be found at work: at the base it is in implement. */
function lastingTest(stage: string): string {
  const lasts = 'sleep 600\n';
  if (stage === 'implement') return lasts;
  const fails = `grep -qx fixed value.txt || { echo 'not ok 1 - value is fixed'; exit 1; }\n`;
  return stage === 'test' ? `${fails}${lasts}` : `${fails}echo 'ok 1 - value is fixed'\n`;
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
