import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RepoWire } from '@sluice/core/repo';
import type { FakeCodeHost } from '@sluice/fake-code-host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccountAdmin } from '../../src/admin/admin-accounts.ts';
import { forgetCodeHost, moveCodeHost } from '../../src/admin/change-code-host.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { StartError } from '../../src/process/start-error.ts';
import { startServer } from '../../src/server.ts';
import { aCodeHost, codehostEnvironment, HOSTED, registerHosted, signInAt } from '../code-host-scene.ts';
import { type HttpSession, signUp } from '../http-session.ts';
import { scratchFolder } from '../scratch-server.ts';
import { type SharedServices, sharedServices } from '../shared-services.ts';

// Usual way: apps/server/test/code-host-sign-in.test.ts

type Environment = Record<string, string>;

let services: SharedServices;
let first: FakeCodeHost;
let second: FakeCodeHost;
beforeAll(async () => {
  services = await sharedServices();
  // Two hosts that number people and repositories alike.
  first = await aCodeHost();
  second = await aCodeHost();
});
afterAll(async () => {
  for (const open of [services, first, second]) await open[Symbol.asyncDispose]();
});

/** The same host by another name, at which it is reached all the same. */
function renamed(host: FakeCodeHost): Environment {
  return { ...codehostEnvironment(host), CODEHOST_URL: host.url.replace('localhost', '127.0.0.1') };
}

const profile = async (person: HttpSession) => (await person.call('GET', '/api/auth/me')).body;
const repoOf = async (person: HttpSession, { id }: RepoWire) =>
  (await person.call<RepoWire>('GET', `/api/repos/${id}`)).body;

describe.each(['SQLite', 'Postgres'])('an installation on %s', (engine) => {
  /** What every start of one installation has in its environment. */
  async function installation(): Promise<Environment> {
    const env = engine === 'SQLite' ? {} : await services.installation();
    return { ...env, DATA_DIR: scratchFolder(), HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' };
  }
  const start = (env: Environment) =>
    startServer(parseConfig({ PATH: process.env.PATH, ...env }), { logFile: join(env.DATA_DIR ?? '', 'sluice.log') });
  async function serving<T>(env: Environment, work: (url: string) => Promise<T>): Promise<T> {
    const server = await start(env);
    try {
      return await work(server.url);
    } finally {
      await server.close();
    }
  }
  const nothing = async () => undefined;

  it('starts only with its original code host, in every role, and names the fix', async () => {
    const env = await installation();
    await serving(env, nothing); // without a code host none is kept
    await serving({ ...env, ...codehostEnvironment(first) }, nothing);
    const asked = second.requests.length;
    for (const ROLE of engine === 'SQLite' ? ['all'] : ['all', 'api', 'worker']) {
      const refused = start({ ...env, ...codehostEnvironment(second), ROLE });
      await expect(refused).rejects.toBeInstanceOf(StartError);
      await expect(refused).rejects.toThrow(
        `CODEHOST_URL is ${second.url}, but this database belongs to the code host ${first.url}: set CODEHOST_URL back`,
      );
    }
    expect(second.requests).toHaveLength(asked);
    await serving({ ...env, ...codehostEnvironment(first) }, nothing);
    await serving(env, nothing);
  });

  it('continues at the new address of its code host, with its users and repositories', async () => {
    const env = await installation();
    const before = { ...env, ...codehostEnvironment(first) };
    const after = { ...env, ...renamed(first) };
    await expect(moveCodeHost({ overrides: after })).rejects.toThrow('has no code host yet');
    const [ann, repo] = await serving(before, async (url) => {
      const person = await signInAt(url, first, 'ann');
      return [person, await registerHosted(person)] as const;
    });
    await expect(start(after)).rejects.toThrow('"sluice admin codehost-moved"');
    const [from, to] = [first.url, after.CODEHOST_URL];
    expect(await moveCodeHost({ overrides: after })).toEqual({ from, to, repos: 1, blocked: [] });
    await expect(start(before)).rejects.toThrow(`belongs to the code host ${to}`);
    await serving(after, async (url) => {
      const person = ann.at(url);
      expect(await profile(person)).toMatchObject({ codehost_login: 'ann' });
      expect(await repoOf(person, repo)).toMatchObject({ url: `${to}/${HOSTED}`, provider: 'codehost' });
      const change = await person.call('PATCH', `/api/repos/${repo.id}`, { default_branch: 'by-hand' });
      expect(change.status, JSON.stringify(change.body)).toBe(200); // asked of git there, with the grant of before
    });
  });

  it('signs no one in as the user with the same number at another host, and sends tokens to neither once the first is forgotten', async () => {
    const env = await installation();
    const begun = await serving({ ...env, ...codehostEnvironment(first) }, async (url) => {
      const ann = await signInAt(url, first, 'ann');
      await signUp(url, 'kim@example.com');
      return { ann, repo: await registerHosted(ann), user: await profile(ann) };
    });
    expect(await forgetCodeHost({ overrides: env })).toEqual({
      codehost: first.url,
      users_unlinked: 1,
      repos: 1,
      without_password: [{ id: begun.user.id, email: null, live_sessions: 1 }],
    });
    await serving({ ...env, ...codehostEnvironment(second) }, async (url) => {
      const ann = begun.ann.at(url); // her session goes on, and is her way in
      expect(await profile(ann)).toMatchObject({ id: begun.user.id, codehost_id: null });
      expect(await repoOf(ann, begun.repo)).toMatchObject({ provider: 'git', codehost_repo_id: null });
      const seen = () => [first, second].map(({ requests }) => requests.length);
      const before = seen();
      const listed = await ann.call('GET', '/api/codehost/repos');
      const reached = await ann.call('PATCH', `/api/repos/${begun.repo.id}`, { default_branch: 'by-hand' });
      expect([listed.body.code, reached.body.code]).toEqual(['codehost_not_linked', 'remote_refused']);
      expect(seen()).toEqual(before);
      const stranger = await profile(await signInAt(url, second, 'ann'));
      expect(stranger.codehost_id).toBe(begun.user.codehost_id);
      expect(stranger.id).not.toBe(begun.user.id);
      const login = { email: 'ann@example.com', password: 'a long enough passphrase' };
      expect((await ann.call('PATCH', '/api/auth/me', login)).status).toBe(200);
    });
    await using admin = await openAccountAdmin({ overrides: env });
    const log = await admin.audit(String(begun.user.id), { limit: 10, cursor: null });
    expect(log?.items.map(({ actor, action }) => `${actor} ${action}`)).toContain('operator account.unlinked');
  });
});

// With SQLite the command is refused while a server runs.
it.each(['moved', 'forgotten'] as const)(
  'sends no request to its code host from a running server once it was %s, and reports it',
  async (what) => {
    const env = { ...(await services.installation()), DATA_DIR: scratchFolder(), HOST: '127.0.0.1', PORT: '0' };
    const logFile = join(env.DATA_DIR, 'sluice.log');
    const config = parseConfig({ PATH: process.env.PATH, ...env, ...codehostEnvironment(first), LOG_LEVEL: 'warn' });
    const server = await startServer(config, { logFile });
    try {
      const ann = await signInAt(server.url, first, 'ann');
      const repo = await registerHosted(ann);
      if (what === 'moved') await moveCodeHost({ overrides: { ...env, ...renamed(first) } });
      else await forgetCodeHost({ overrides: env });
      const asked = first.requests.length;
      const refused = [
        await ann.call('GET', '/api/codehost/repos'),
        await ann.call('POST', '/api/repos', { codehost_repo: HOSTED }),
      ];
      if (what === 'moved') refused.push(await ann.call('GET', `/api/repos/${repo.id}/issues`));
      for (const { status, body } of refused) {
        expect([status, body.code]).toEqual([502, 'codehost_unavailable']);
        expect(body.detail).toContain('has to restart the server');
      }
      expect(first.requests).toHaveLength(asked);
      await expect(signInAt(server.url, first, 'eve')).rejects.toThrow(/502/);
      const linked = await profile(ann);
      expect(linked.codehost_login).toBe(what === 'moved' ? 'ann' : null);
      expect(readFileSync(logFile, 'utf8').match(/now belongs to another code host/g)).toHaveLength(1);
    } finally {
      await server.close();
    }
  },
);
