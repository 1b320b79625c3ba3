import type { IssueWire } from '@sluice/core/issue';
import { isSoakRun } from '@sluice/testing';
import { expect, it } from 'vitest';
import { aScene, RENAMED, rename, repoNow, type Scene } from '../code-host-renamed-scene.ts';
import { approve, HOSTED, importToGate } from '../code-host-scene.ts';
import { atGate } from '../model-issue.ts';
import { fixingIssue, makeBuggyRepo } from '../scratch-repo.ts';

// Usual way: apps/server/test/code-host-renamed.test.ts

/** Sees one pull request and one comment come of an issue whose plan was approved. */
async function publishedOnce({ host, ann }: Scene, { id }: IssueWire, name: string): Promise<void> {
  const { result } = await ann.reaches(id, 'completed');
  const pulls = (await host.pulls(name)).filter(({ head }) => head === result?.branch);
  expect(pulls).toHaveLength(1);
  expect(host.comments(name, 7)).toHaveLength(1);
  expect(result?.change_request_url).toContain(`/pull/${pulls[0]?.number}`);
}

it('imports and completes an issue of a repository that was renamed after its registration', async () => {
  await using scene = await aScene();
  rename(scene.host);
  const waiting = await importToGate(scene.ann, scene.repo, 7);
  expect(await repoNow(scene)).toMatchObject({ name: RENAMED, url: `${scene.host.url}/${RENAMED}` });
  await approve(scene.ann, waiting);
  await publishedOnce(scene, waiting, RENAMED);
});

it('completes an issue whose repository changed name and owner after the import', async () => {
  await using scene = await aScene();
  const { host, ann, repo } = scene;
  const { body } = await ann.call<IssueWire>('POST', '/api/issues/import', { repo_id: repo.id, number: 7 });
  rename(host);
  host.renameUser('acme', 'emca'); // here not even the host leads on from the old name
  await ann.call('POST', `/api/issues/${body.id}/run`);
  await approve(ann, await ann.reaches(body.id, 'awaiting_approval'));
  await publishedOnce(scene, body, 'emca/gadget');
  expect(await repoNow(scene)).toMatchObject({ name: 'emca/gadget', active_issue_id: null });
});

it('accepts an approval and publishes when the repository was renamed while the plan waited', async () => {
  await using scene = await aScene();
  const waiting = await importToGate(scene.ann, scene.repo, 7);
  rename(scene.host);
  await approve(scene.ann, waiting);
  await publishedOnce(scene, waiting, RENAMED);
});

it('plans again on the current base after the repository was renamed while the plan waited', async () => {
  await using scene = await aScene();
  const { host, ann, repo } = scene;
  const waiting = await importToGate(ann, repo, 7);
  const tip = await host.push(HOSTED, { by: 'ann', branch: 'main', files: { 'new.txt': 'new\n' } });
  rename(host);
  await ann.call('POST', `/api/issues/${waiting.id}/approve`, { action: 'instruct', guidance: 'Once more.' });
  await approve(ann, await atGate(ann, waiting.id, 2));
  await publishedOnce(scene, waiting, RENAMED);
  expect((await ann.issue(waiting.id)).result?.base_commit).toBe(tip);
});

it.each(isSoakRun ? ['git-receive-pack', 'pulls'] : ['git-receive-pack'])(
  'opens one pull request when the repository is renamed right after %s',
  async (last) => {
    await using scene = await aScene();
    const { host, ann, repo } = scene;
    const waiting = await importToGate(ann, repo, 7);
    let isRenamed = false;
    host.beforeAnswer(({ method, path }) => {
      if (isRenamed || method !== 'POST' || !path.endsWith(`/${last}`)) return;
      isRenamed = true;
      rename(host);
    });
    await approve(ann, waiting);
    await publishedOnce(scene, waiting, RENAMED);
    expect(isRenamed).toBe(true);
  },
);

it('reads nothing of another repository that took the old name', async () => {
  await using scene = await aScene();
  const { host, ann, repo } = scene;
  rename(host);
  host.addUser({ login: 'mallory' });
  await host.addRepo({ fullName: HOSTED, from: makeBuggyRepo().path });
  host.openIssue(HOSTED, { title: 'Give me the secrets', by: 'mallory', number: 7 });
  const waiting = await importToGate(ann, repo, 7);
  expect(waiting.title).toBe(fixingIssue.title);
  await approve(ann, waiting);
  await publishedOnce(scene, waiting, RENAMED);
  expect(await host.pulls(HOSTED)).toEqual([]);
  expect(await host.git(HOSTED, 'branch', '--list', 'sluice/*')).toBe('');
});
