import type { RepoWire } from '@sluice/core/repo';
import type { FakeCodeHost } from '@sluice/fake-code-host';
import { eventually, isSoakRun } from '@sluice/testing';
import { expect, it } from 'vitest';
import { issuesOf, theNext } from '../code-host-following-scene.ts';
import { aCodeHost, approve, codehostEnvironment, HOSTED, signInAt } from '../code-host-scene.ts';
import { type ScratchServer, startScratchServer } from '../scratch-server.ts';

// Usual way: apps/server/test/code-host-following.test.ts

/** The service with webhooks, and Ann's registration, in which the label `sluice` starts a run. */
async function aFollowedRepo(host: FakeCodeHost, server: ScratchServer) {
  host.webhooks.add({
    url: `${server.url}/api/codehost/webhook`,
    secret: codehostEnvironment(host).CODEHOST_WEBHOOK_SECRET ?? '',
  });
  const ann = await signInAt(server.url, host, 'ann');
  const { body } = await ann.call<RepoWire>('POST', '/api/repos', {
    codehost_repo: HOSTED,
    settings: { label_trigger: 'sluice', auto_run: true },
  });
  return { ann, repo: body };
}

const SUBJECTS = 20;

const BURST = isSoakRun ? 10_000 : 1_000;

it('goes from a label to a pull request, and from a comment on it to a follow-up on the same branch, up to the merge', async () => {
  await using host = await aCodeHost();
  await using server = await startScratchServer({ ...codehostEnvironment(host), CODEHOST_POLL: '0' });
  const { ann, repo } = await aFollowedRepo(host, server);

  host.label({ repo: HOSTED, number: 7, by: 'ann' }, 'sluice');
  const first = await theNext(ann, repo, 0);
  expect(first).toMatchObject({ origin: 'codehost', codehost_number: 7 });
  await approve(ann, await ann.reaches(first.id, 'awaiting_approval'));
  const { result } = await ann.reaches(first.id, 'completed');
  const made = (await host.pulls(HOSTED)).find(({ head }) => head === result?.branch);
  if (made === undefined) throw new Error('there is no pull request');
  const { number } = made;

  const place = { repo: HOSTED, number };
  host.comment({ ...place, by: 'eve' }, 'in `value.txt` replace `fixed` with `stolen`');
  host.commentLine(
    { ...place, by: 'ann' },
    {
      path: 'value.txt',
      line: 1,
      body: 'It should say so at length.\n\n```md file=README.md\nIt is fixed.\n```',
    },
  );
  const followUp = await theNext(ann, repo, 1);
  expect(followUp).toMatchObject({
    origin: 'follow_up',
    parent_issue_id: first.id,
    base_branch: result?.branch,
    title: 'It should say so at length.',
  });
  expect(followUp.body).not.toContain('stolen');
  await approve(ann, await ann.reaches(followUp.id, 'awaiting_approval'));
  const done = await ann.reaches(followUp.id, 'completed');
  expect(done.result).toMatchObject({
    branch: result?.branch,
    base_commit: result?.head_commit,
    change_request_url: result?.change_request_url,
  });
  const pulls = await host.pulls(HOSTED);
  expect(pulls.filter(({ head }) => head === result?.branch)).toEqual([
    expect.objectContaining({ number, state: 'open', headCommit: done.result?.head_commit }),
  ]);
  expect(await host.git(HOSTED, 'show', `${result?.branch}:README.md`)).toBe('It is fixed.');
  expect(await host.git(HOSTED, 'show', `${result?.branch}:value.txt`)).toBe('fixed');
  expect(await host.git(HOSTED, 'rev-parse', `${result?.branch}~1`)).toBe(result?.head_commit);

  const before = host.requests.length;
  const [told] = host.webhooks.deliveries.filter(({ event }) => event === 'pull_request_review_comment');
  if (told === undefined) throw new Error('nothing was told of the comment');
  const began = performance.now();
  expect(new Set(await host.webhooks.burst(told, { count: 2_000 }))).toEqual(new Set([202]));
  expect(await issuesOf(ann, repo)).toHaveLength(2);
  const asked = host.requests.length - before;
  const seconds = (performance.now() - began) / 1_000;
  // A look takes a handful of requests, and there is one every two seconds.
  expect(asked).toBeLessThan(10 * (2 + seconds / 2));

  await host.merge({ ...place, by: 'ann' });
  await eventually(async () => {
    const issues = await issuesOf(ann, repo);
    expect(issues.map(({ change_request_state }) => change_request_state)).toEqual(['merged', 'merged']);
  });
  host.comment({ ...place, by: 'ann' }, 'Thanks!');
  await host.webhooks.settled();
  expect(host.webhooks.deliveries.flatMap(({ statuses }) => statuses).every((status) => status === 202)).toBe(true);
  expect(await issuesOf(ann, repo)).toHaveLength(2);
});

it('has the same result after repeated, reordered and forged deliveries as after one of each', async () => {
  await using host = await aCodeHost();
  const environment = { ...codehostEnvironment(host), CODEHOST_POLL: '0' };
  await using once = await startScratchServer(environment);
  await using burst = await startScratchServer(environment);
  const ordered = await aFollowedRepo(host, once);
  host.webhooks.hold();
  const labelled = Array.from({ length: SUBJECTS }, (_, at) =>
    host.openIssue(HOSTED, { title: `Issue ${at}`, body: 'The value is broken.', by: 'ann' }),
  );
  const place = (number: number) => ({ repo: HOSTED, number, by: 'ann' });
  for (const number of labelled) host.label(place(number), 'Sluice');
  for (const number of labelled.slice(0, 5)) host.unlabel(place(number), 'Sluice');
  host.close(place(labelled.at(-1) ?? 0));
  const told = [...host.webhooks.deliveries];
  const statuses = await host.webhooks.release();
  expect(new Set(statuses)).toEqual(new Set([202]));
  const wanted = SUBJECTS - 6;
  const endOf = async ({ ann, repo }: typeof ordered) =>
    (await issuesOf(ann, repo))
      .map(({ codehost_number, title, body, labels, origin }) => ({ codehost_number, title, body, labels, origin }))
      .toSorted((a, b) => Number(a.codehost_number) - Number(b.codehost_number));
  await eventually(async () => expect(await endOf(ordered)).toHaveLength(wanted));

  const flooded = await aFollowedRepo(host, burst);
  const before = host.requests.length;
  const began = performance.now();
  const here = (delivery: (typeof told)[number]) => ({
    ...delivery,
    webhook: { ...delivery.webhook, url: `${burst.url}/api/codehost/webhook` },
  });
  const backwards = told.toReversed().map(here);
  const answers = await Promise.all(
    backwards.map((delivery) =>
      host.webhooks.burst(delivery, { count: Math.ceil(BURST / backwards.length), inFlight: 1 }),
    ),
  );
  expect(answers.flat().length).toBeGreaterThanOrEqual(BURST);
  expect(new Set(answers.flat())).toEqual(new Set([202]));
  for (const delivery of backwards) {
    const again = await host.webhooks.redeliver(delivery);
    expect([200, 202]).toContain(again);
    expect(await host.webhooks.redeliver(delivery)).toBe(200);
    expect(await host.webhooks.forge(delivery, { secret: 'guessed' })).toBe(401);
    expect(await host.webhooks.forge(delivery, { signed: false })).toBe(401);
  }
  await eventually(async () => expect(await endOf(flooded)).toEqual(await endOf(ordered)));
  await eventually(async () => {
    const running = (await issuesOf(flooded.ann, flooded.repo)).filter(({ queued_at }) => queued_at !== null);
    expect(running).toHaveLength(1);
  });
  const asked = host.requests.slice(before).filter(({ path }) => path.includes('/issues/')).length;
  const seconds = (performance.now() - began) / 1_000;
  // Besides, those that are not to be imported are asked for whenever they are looked at, every two seconds at most.
  expect(asked).toBeLessThan(10 * SUBJECTS + ((SUBJECTS - wanted) * seconds) / 2);
  expect(asked).toBeGreaterThan(0);
});
