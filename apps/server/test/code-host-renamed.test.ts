import { expect, it } from 'vitest';
import { aScene, RENAMED, rename, repoNow } from './code-host-renamed-scene.ts';
import { HOSTED } from './code-host-scene.ts';
import { makeBuggyRepo } from './scratch-repo.ts';

it('is registered once under all its names, and the old one can be registered when it is another repository', async () => {
  await using scene = await aScene();
  const { host, ann, repo } = scene;
  rename(host);
  const add = (name: string) => ann.call<Record<string, unknown>>('POST', '/api/repos', { codehost_repo: name });
  for (const name of [RENAMED, HOSTED]) {
    const again = await add(name);
    expect([again.status, again.body.code, again.body.repo_id]).toEqual([409, 'repo_exists', repo.id]);
  }
  expect(await repoNow(scene)).toMatchObject({ name: RENAMED });
  host.renameRepo(RENAMED, 'gizmo');
  await host.addRepo({ fullName: RENAMED, from: makeBuggyRepo().path });
  host.setPermission(RENAMED, { login: 'ann', permission: 'write' });
  const other = await add(RENAMED);
  expect([other.status, other.body.name]).toEqual([201, RENAMED]);
  expect(await repoNow(scene)).toMatchObject({ name: 'acme/gizmo' });
});

it('lets a renamed repository be changed', async () => {
  await using scene = await aScene();
  const { host, ann, repo } = scene;
  rename(host);
  const changed = await ann.call('PATCH', `/api/repos/${repo.id}`, { default_branch: 'by-hand' });
  expect([changed.status, changed.body.default_branch]).toEqual([200, 'by-hand']);
});
