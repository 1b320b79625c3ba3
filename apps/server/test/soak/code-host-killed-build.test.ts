import type { IssueEvent, IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { until } from '@sluice/testing';
import { expect, it } from 'vitest';
import { aCodeHost, approve, codehostEnvironment, HOSTED, importToGate, signInAt } from '../code-host-scene.ts';
import { startProcess } from '../service-process.ts';

const scanner = { id: 7, slug: 'scanner' };

it('makes one follow-up of a failed build after kill -9 between its verdict and the follow-up', async () => {
  await using host = await aCodeHost();
  const environment: Record<string, string> = { ...codehostEnvironment(host), CODEHOST_POLL: '0' };
  const first = await startProcess(environment);
  const ann = await signInAt(first.url, host, 'ann');
  const settings = { follow_build: 'fix', follow_base: 'off' };
  const { body: repo } = await ann.call<RepoWire>('POST', '/api/repos', { codehost_repo: HOSTED, settings });
  const issue = await importToGate(ann, repo, 7);
  await approve(ann, issue);
  const { result } = await ann.reaches(issue.id, 'completed');
  const built = { commit: result?.head_commit ?? '', branch: result?.branch ?? '' };
  host.webhooks.add({
    url: `${first.url}/api/codehost/webhook`,
    secret: environment.CODEHOST_WEBHOOK_SECRET ?? '',
    events: ['check_run'],
  });
  const check = host.builders.startCheck(HOSTED, { ...built, name: 'unit', app: scanner });
  const annotations = [{ path: 'value.txt', line: 1, level: 'failure', message: 'is broken' }] as const;
  // The verdict was read, and so is why it failed.
  let hasDied = false;
  host.onRequest(async ({ path }) => {
    if (hasDied || !path.endsWith(`/check-runs/${check}/annotations`)) return;
    hasDied = true;
    await first.kill();
  });
  host.builders.endCheck(HOSTED, check, { conclusion: 'failure', summary: 'sum is 3', annotations });
  expect(await first.ended).toBe('SIGKILL');

  const second = await startProcess({ ...environment, DATA_DIR: first.dataDir });
  try {
    const person = ann.at(second.url);
    const followUps = async () => {
      const { body } = await person.call<{ items: IssueWire[] }>('GET', `/api/issues?repo_id=${repo.id}`);
      return body.items.filter(({ origin }) => origin === 'follow_up');
    };
    await until('the follow-up is there', async () => (await followUps()).length > 0);
    const [fix] = await followUps();
    // The built-in model plans nothing for it, so that it waits or ends without a push.
    await until('it has come to a stop', async () => {
      const { body } = await person.call<IssueWire>('GET', `/api/issues/${fix?.id}`);
      return body.gate !== null || body.finished_at !== null;
    });
    expect(await followUps()).toHaveLength(1);
    const { body } = await person.call<IssueWire>('GET', `/api/issues/${fix?.id}`);
    expect(body.follow_up).toEqual({ kind: 'build', head_commit: built.commit, round: 1, jobs: ['unit'] });
    const events = await person.call<{ items: IssueEvent[] }>('GET', `/api/issues/${issue.id}/history?limit=1000`);
    // Whether it was seen while it ran is chance.
    const told = events.body.items.flatMap((event) => (event.type === 'build.updated' ? [event.data] : []));
    const ended = told.filter(({ verdict }) => verdict !== 'pending');
    expect(ended).toMatchObject([{ commit: built.commit, verdict: 'failure', failed: ['unit'] }]);
  } finally {
    await second.kill();
  }
});
