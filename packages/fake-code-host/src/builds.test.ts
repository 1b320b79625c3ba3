import { expect, it } from 'vitest';
import { judgeByDescription } from './host-description.ts';
import { scratchOrigin } from './people/scratch-origin.ts';
import { readDescription } from './read-description.ts';
import { startCodeHost } from './start-code-host.ts';
import { ACTIONS } from './state/host-build.ts';

const description = judgeByDescription(readDescription('codehost-api'));
const REPO = 'ann/widget';
const repo = `/repos/${REPO}`;
const scanner = { id: 7, slug: 'scanner' };

async function aHost() {
  using origin = scratchOrigin();
  const host = await startCodeHost();
  host.addUser({ login: 'ann' });
  await host.addRepo({ fullName: REPO, from: origin.path });
  const commit = await host.push(REPO, { by: 'ann', branch: 'work', files: { 'a.txt': 'a\n' } });
  const number = await host.openPull(REPO, { title: 'A change', head: 'work', base: 'main', by: 'ann' });
  const token = host.issueToken('ann');
  const ask = async (path: string) => {
    const response = await fetch(`${host.apiUrl}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
    });
    const text = await response.text();
    const body = text === '' ? null : JSON.parse(text);
    const answer = { method: 'GET', path: path.split('?')[0] ?? '', status: response.status, body };
    return { ...answer, headers: response.headers, problems: description.problems(answer) };
  };
  return Object.assign(host, { ask, commit, number });
}

it('answers about builds and commits in the shape that the provider describes', async () => {
  await using host = await aHost();
  const { builders, commit, number, ask } = host;
  const built = { commit, branch: 'work' };
  builders.require(REPO, { branch: 'main', context: 'test', by: 'rules', app: ACTIONS });
  builders.require(REPO, { branch: 'main', context: '.github/workflows/ci.yml', by: 'workflow' });
  builders.require(REPO, { branch: 'main', context: 'coverage', by: 'protection' });
  const run = builders.startWorkflow(REPO, { ...built, name: 'CI' });
  const job = builders.startJob(REPO, { run, name: 'test' });
  const annotations = [{ path: 'a.txt', line: 1, level: 'failure', message: 'wrong' }] as const;
  builders.endCheck(REPO, job, { conclusion: 'failure', summary: 'One failed.', annotations, log: { text: 'end\n' } });
  builders.endWorkflow(REPO, run, 'failure');
  builders.startCheck(REPO, { ...built, name: 'scan', app: scanner });
  builders.setStatus(REPO, { ...built, context: 'coverage', state: 'pending', by: 'ann' });
  const answers = [
    await ask(`${repo}/branches/main`),
    await ask(`${repo}/branches/absent`),
    await ask(`${repo}/rules/branches/main`),
    await ask(`${repo}/rules/branches/work`),
    await ask(`${repo}/commits?sha=work&since=2020-01-01T00:00:00Z`),
    await ask(`${repo}/commits/${commit}/check-runs`),
    await ask(`${repo}/commits/${commit}/status`),
    await ask(`${repo}/compare/main...work`),
    await ask(`${repo}/compare/main...absent`),
    await ask(`${repo}/check-runs/${job}`),
    await ask(`${repo}/check-runs/${job}/annotations`),
    await ask(`${repo}/actions/runs?head_sha=${commit}`),
    await ask(`${repo}/pulls/${number}`),
    await ask(`${repo}/pulls/${number}/commits`),
  ];
  const lines = answers.map(({ path, status, problems }) => ({ path, status, problems }));
  expect(lines.filter(({ problems }) => problems?.length !== 0)).toEqual([]);
  expect(answers[5]?.body).toMatchObject({ total_count: 2 });
  expect(answers[6]?.body).toMatchObject({ state: 'pending', total_count: 1 });
  expect(answers[7]?.body).toMatchObject({ status: 'ahead', ahead_by: 1, behind_by: 0 });
});

it('keeps the attempts of a job, and names the newest of each suite', async () => {
  await using host = await aHost();
  const { builders, commit, ask } = host;
  const run = builders.startWorkflow(REPO, { commit, branch: 'work', name: 'CI' });
  const first = builders.startJob(REPO, { run, name: 'test' });
  builders.endCheck(REPO, first, { conclusion: 'failure' });
  builders.endWorkflow(REPO, run, 'failure');
  builders.rerun(REPO, run);
  const second = builders.startJob(REPO, { run, name: 'test' });
  const onPush = builders.startWorkflow(REPO, { commit, branch: 'work', name: 'CI', event: 'push' });
  const other = builders.startJob(REPO, { run: onPush, name: 'test' });
  const idsOf = async (filter: string) => {
    const { body } = await ask(`${repo}/commits/work/check-runs?filter=${filter}`);
    return body.check_runs.map(({ id }: { id: number }) => id);
  };
  expect(await idsOf('latest')).toEqual([other, second]);
  expect(await idsOf('all')).toEqual([other, second, first]);
  const { body } = await ask(`${repo}/actions/runs?head_sha=${commit}`);
  expect(body.workflow_runs).toMatchObject([
    { id: onPush, run_attempt: 1, event: 'push' },
    { id: run, run_attempt: 2, status: 'in_progress' },
  ]);
  expect(body.workflow_runs[0].workflow_id).toBe(body.workflow_runs[1].workflow_id);
});

it('keeps logs at another origin, and sends them as far as they are wanted', async () => {
  await using host = await aHost();
  const { builders, commit, ask, logs } = host;
  const run = builders.startWorkflow(REPO, { commit, branch: 'work', name: 'CI' });
  const job = builders.startJob(REPO, { run, name: 'test' });
  const logOf = () => ask(`${repo}/actions/jobs/${job}/logs`);
  expect((await logOf()).status).toBe(410);
  builders.endCheck(REPO, job, { conclusion: 'failure', log: { text: 'the end\n', bytes: 100_000_000 } });
  const { status, headers } = await logOf();
  const location = headers.get('location') ?? '';
  expect([status, new URL(location).origin]).toEqual([302, logs.url]);
  const response = await fetch(location);
  await response.body?.getReader().cancel();
  expect(logs.requests).toMatchObject([{ path: `/logs/${job}` }]);
  expect(logs.requests[0]?.bytes).toBeLessThan(100_000_000);
  builders.expireLog(REPO, job);
  expect((await logOf()).status).toBe(410);
});

it('sends a delivery of everything that is built', async () => {
  await using host = await aHost();
  const { builders, commit, number } = host;
  host.webhooks.hold();
  host.webhooks.add({ url: 'http://127.0.0.1:1/hook', secret: 'x' });
  const built = { commit, branch: 'work' };
  const run = builders.startWorkflow(REPO, { ...built, name: 'CI' });
  builders.endCheck(REPO, builders.startJob(REPO, { run, name: 'test' }), { conclusion: 'success' });
  builders.endWorkflow(REPO, run, 'success');
  builders.endCheck(REPO, builders.startCheck(REPO, { ...built, name: 'scan', app: scanner }), {
    conclusion: 'neutral',
  });
  builders.setStatus(REPO, { ...built, context: 'coverage', state: 'success', by: 'ann' });
  expect(host.webhooks.deliveries.map(({ event, action }) => `${event} ${action ?? ''}`.trim())).toEqual([
    ...['check_suite requested', 'workflow_run requested', 'workflow_run in_progress', 'check_run created'],
    ...['check_run completed', 'check_suite completed', 'workflow_run completed'],
    ...['check_run created', 'check_run completed', 'check_suite completed', 'status'],
  ]);
  const bodies = host.webhooks.deliveries.map(({ body }) => JSON.parse(body));
  expect(bodies[3].check_run).toMatchObject({ pull_requests: [{ number }], check_suite: { head_branch: 'work' } });
  expect(bodies.at(-1)).toMatchObject({ sha: commit, branches: [{ name: 'work' }] });
});

it('knows whether a pull request can be merged only after it was asked, and again after its ends have moved', async () => {
  await using host = await aHost();
  const { ask, number } = host;
  const stateOf = async () => {
    const { mergeable, mergeable_state } = (await ask(`${repo}/pulls/${number}`)).body;
    return [mergeable, mergeable_state];
  };
  expect([await stateOf(), await stateOf()]).toEqual([
    [null, 'unknown'],
    [true, 'clean'],
  ]);
  host.builders.requireUpToDate(REPO);
  await host.push(REPO, { by: 'ann', branch: 'main', files: { 'b.txt': 'b\n' } });
  expect([await stateOf(), await stateOf()]).toEqual([
    [null, 'unknown'],
    [true, 'behind'],
  ]);
  await host.push(REPO, { by: 'ann', branch: 'main', files: { 'a.txt': 'other\n' } });
  await stateOf();
  expect(await stateOf()).toEqual([false, 'dirty']);
});
