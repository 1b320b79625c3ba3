import { chmodSync } from 'node:fs';
import type { RepoWire } from '@sluice/core/repo';
import { expect, it } from 'vitest';
import { openAccountAdmin } from '../src/admin/admin-accounts.ts';
import { signUp } from './http-session.ts';
import { makeBuggyRepo } from './scratch-repo.ts';
import { startScratchServer } from './scratch-server.ts';

const asByDefault = { ALLOW_LOCAL_REPOS: '' };

it('prevents other accounts on loopback from registering or probing folders of the host', async () => {
  await using server = await startScratchServer(asByDefault);
  const owner = await signUp(server.url);
  const stranger = await signUp(server.url);
  const secret = makeBuggyRepo();
  chmodSync(secret.path, 0o700);

  const paths = [secret.path, `file://${secret.path}`, ` ${secret.path}/`, '/nowhere/at/all'];
  const answers = await Promise.all(paths.map((url) => stranger.call('POST', '/api/repos', { url })));
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  const details = new Set(answers.map(({ body }) => body.detail));
  expect([...details]).toEqual([expect.stringContaining('ALLOW_LOCAL_REPOS=on')]);

  const registered = await owner.call<RepoWire>('POST', '/api/repos', { url: secret.path });
  expect(registered.status).toBe(201);
  const searched = await stranger.call('GET', `/api/repos/${registered.body.id}/search?q=value`);
  expect(searched.status).toBe(403);
});

it('lets an operator register folders of the host, whoever was first', async () => {
  await using server = await startScratchServer(asByDefault);
  await signUp(server.url, 'first@example.com');
  const second = await signUp(server.url, 'second@example.com');
  await using admin = await openAccountAdmin({ overrides: { DATA_DIR: server.dataDir } });
  const url = makeBuggyRepo().path;
  expect((await second.call('POST', '/api/repos', { url })).body.detail).toContain('Only an operator of this server');
  await admin.grantOperator('second@example.com');
  expect((await second.call('POST', '/api/repos', { url })).status).toBe(201);
});

it('lets every account register folders of the host when the operator allows it', async () => {
  await using server = await startScratchServer({ ALLOW_LOCAL_REPOS: 'on' });
  await signUp(server.url);
  const second = await signUp(server.url);
  expect((await second.call('POST', '/api/repos', { url: makeBuggyRepo().path })).status).toBe(201);
});

it('allows one account when PUBLIC_URL is not a loopback address, unless the operator opens registration', async () => {
  await using server = await startScratchServer({ PUBLIC_URL: 'https://sluice.example.com' });
  await signUp(server.url);
  await expect(signUp(server.url)).rejects.toThrow('register answered 403');
});
