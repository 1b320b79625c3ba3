import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCodeHost } from '@sluice/fake-code-host';
import { expect, it } from 'vitest';
import { codehostEnvironment, signInAt } from './code-host-scene.ts';
import { startScratchServer } from './scratch-server.ts';

const keyOf = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

it('asks to link the account again when its key was removed too early, and names the key to the operator', async () => {
  await using host = await startCodeHost();
  host.addUser({ login: 'ann' });
  const [old, fresh] = [keyOf('old'), keyOf('new')];
  const common = { ...codehostEnvironment(host), SESSION_SECRET: 's'.repeat(32) };
  await using server = await startScratchServer({ ...common, ENCRYPTION_KEYS: old });
  const ann = await signInAt(server.url, host, 'ann');
  const log = () => readFileSync(join(server.dataDir, 'sluice.log'), 'utf8');
  const repos = (url: string) => ann.at(url).call('GET', '/api/codehost/repos');
  expect((await repos(server.url)).status).toBe(200);

  await using without = await server.restart({ ...common, ENCRYPTION_KEYS: fresh });
  expect(log()).toContain('"missing_keys":["old"]');
  expect(log()).not.toContain('is not among');
  const answer = await repos(without.url);
  expect([answer.status, answer.body]).toMatchObject([
    409,
    { code: 'codehost_relink_needed', detail: expect.stringContaining('Link your account again') },
  ]);
  expect(log()).toMatch(/"level":50.*the encryption key \\"old\\" is not among ENCRYPTION_KEYS/);

  // With the key back nothing was lost; without it a new sign-in is enough.
  await using back = await without.restart({ ...common, ENCRYPTION_KEYS: `${fresh},${old}` });
  expect((await repos(back.url)).status).toBe(200);
  await using lost = await back.restart({ ...common, ENCRYPTION_KEYS: fresh });
  await signInAt(lost.url, host, 'ann');
  expect((await repos(lost.url)).status).toBe(200);
});
