import { createHash, randomBytes } from 'node:crypto';
import type { IssueEvent, LiveEvent } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import type { FakeCodeHost } from '@sluice/fake-code-host';
import { eventually } from '@sluice/testing';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  aCodeHost,
  approve,
  callbackOf,
  codehostEnvironment,
  HOSTED,
  importToGate,
  registerHosted,
} from '../code-host-scene.ts';
import { continueSession, type HttpSession, signUp } from '../http-session.ts';
import { makeBuggyRepo } from '../scratch-repo.ts';
import { startScratchServer } from '../scratch-server.ts';
import { openSecretHunt, type SecretHunt } from '../secret-hunt.ts';
import { type SharedServices, sharedServices } from '../shared-services.ts';

let services: SharedServices;
beforeAll(async () => {
  services = await sharedServices();
});
afterAll(async () => services[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

const PUBLIC_URL = 'http://127.0.0.1:9';

interface Scene {
  readonly hunt: SecretHunt;
  readonly host: FakeCodeHost;
  readonly url: string;
}

/** A session that records every response and whose cookies are secrets. */
function watched({ hunt }: Scene, session: HttpSession): HttpSession {
  return {
    ...session,
    call: async <T>(method: string, path: string, body?: unknown) => {
      const answer = await session.call<T>(method, path, body);
      const { location, ...headers } = Object.fromEntries(answer.headers);
      delete headers['set-cookie'];
      // The browser's own way: with its state to the code host, and with the program's grant to the program.
      const onward = location?.startsWith('/') ? location : '';
      const told = JSON.stringify([answer.status, answer.body, headers, onward], (name, value) =>
        name === 'authorization_url' ? '' : value,
      );
      hunt.saw('answers', told);
      for (const [name, value] of session.cookies()) if (value !== '') hunt.add(`cookie ${name.slice(0, 13)}`, value);
      return answer;
    },
  };
}

/** What a sign-in sends to the host's token endpoint, which is where the verifiers are. */
function huntVerifiers(hunt: SecretHunt): void {
  const send = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const verifier = new URLSearchParams(String(init?.body ?? '')).get('code_verifier');
    if (verifier !== null) hunt.add('verifier of PKCE', verifier);
    return send(input, init);
  });
}

async function throughHost(scene: Scene, session: HttpSession, begun: { url: string; login: string }) {
  const back = new URL(await scene.host.walkSignIn(begun.url, { login: begun.login }));
  scene.hunt.add('state', back.searchParams.get('state') ?? '');
  return await session.call('GET', back.pathname + back.search);
}

async function signIn(scene: Scene, session: HttpSession, login: string): Promise<void> {
  const { body } = await session.call<{ authorization_url: string }>('POST', '/api/auth/codehost');
  const answer = await throughHost(scene, session, { url: body.authorization_url, login });
  expect(answer.status).toBe(302);
}

/** Logs in like a program on the user's machine, which shares its grant and its verifier with no other program. */
async function logInByProgram(scene: Scene, login: string): Promise<HttpSession> {
  const browser = watched(scene, continueSession(scene.url, new Map()));
  const verifier = randomBytes(40).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const { body } = await browser.call<{ confirm_url: string }>(
    'GET',
    `/api/auth/codehost/cli?port=49152&challenge=${challenge}&state=${login}-state-x`,
  );
  const begun = await browser.call('POST', new URL(body.confirm_url).pathname);
  const ended = await throughHost(scene, browser, { url: begun.headers.get('location') ?? '', login });
  const grant = new URL(ended.headers.get('location') ?? '').searchParams.get('grant') ?? '';
  scene.hunt.add('grant', grant);
  scene.hunt.add('verifier of a program', verifier);
  const program = watched(scene, continueSession(scene.url, new Map()));
  expect((await program.call('POST', '/api/auth/codehost/cli', { grant, verifier })).status).toBe(200);
  return program;
}

/** Every route of the host fails, in several ways, and says what it was given. */
async function failEverywhere({ host }: Scene, person: HttpSession, repo: RepoWire): Promise<void> {
  const list = () => person.call('GET', '/api/codehost/repos');
  const issues = () => person.call('GET', `/api/repos/${repo.id}/issues`);
  const bring = () => person.call('POST', '/api/issues/import', { repo_id: repo.id, number: 7 });
  const register = () => person.call('POST', '/api/repos', { codehost_repo: 'acme/gadget' });
  const routes: [RegExp, () => Promise<{ status: number }>][] = [
    [/^POST \/login\/oauth\/access_token$/, list],
    [/^GET \/user\/repos$/, list],
    [/^GET .*\/issues$/, issues],
    [/^GET .*\/issues\/7$/, bring],
    [/^GET .*\/issues\/7\/comments$/, bring],
    [/^GET \/repos\/acme\/gadget$/, register],
    [/^GET .*gadget\/info\/refs$/, register],
  ];
  for (const [on, act] of routes) {
    for (const status of [403, 422, 500]) {
      const told = host.secrets().slice(-4).join(' ');
      const fault = { kind: 'status', status, message: told, headers: { 'x-told': told } } as const;
      const armed = host.arm({ on, fault, times: Number.POSITIVE_INFINITY });
      expect((await act()).status).toBeGreaterThanOrEqual(400);
      armed.lift();
    }
  }
}

it('leaves none of two hundred secrets in an answer, an event, a log, a table, a file, a process or at the host', async () => {
  using hunt = openSecretHunt();
  await using host = await aCodeHost({ tokenExpiry: { accessSeconds: 60, refreshSeconds: 3600 } });
  await host.addRepo({ fullName: 'acme/gadget', from: makeBuggyRepo().path, private: true });
  const installation = await services.installation();
  const environment: Record<string, string> = {
    ...installation,
    ...codehostEnvironment(host),
    // Its own: what other tests give their servers is in those servers' environments.
    SESSION_SECRET: randomBytes(36).toString('base64url'),
    ENCRYPTION_KEYS: `own:${randomBytes(32).toString('base64')}`,
    CODEHOST_WEBHOOK_SECRET: randomBytes(24).toString('base64url'),
    PUBLIC_URL,
    LOG_LEVEL: 'trace',
  };
  await using server = await startScratchServer(environment);
  host.allowRedirectTo(callbackOf(PUBLIC_URL));
  host.webhooks.add({
    url: `${server.url}/api/codehost/webhook`,
    secret: environment.CODEHOST_WEBHOOK_SECRET ?? '',
  });
  const scene: Scene = { hunt, host, url: server.url };
  huntVerifiers(hunt);
  hunt.add('the secret of sessions', environment.SESSION_SECRET ?? '');
  hunt.add('a key', environment.ENCRYPTION_KEYS?.split(':')[1] ?? '');
  hunt.add('the secret of deliveries', environment.CODEHOST_WEBHOOK_SECRET ?? '');
  host.onRequest(({ path }) => {
    if (/\/(git-[a-z]+-pack|refs)$/.test(path)) hunt.sawProcesses('while git runs');
  });

  const people: { person: HttpSession; repo: RepoWire }[] = [];
  for (let n = 0; n < 15; n += 1) {
    const login = `person-${n}`;
    host.addUser({ login });
    for (const repo of [HOSTED, 'acme/gadget']) host.setPermission(repo, { login, permission: 'write' });
    let person: HttpSession;
    if (n < 2) person = await logInByProgram(scene, login);
    else {
      // Two of them link their accounts, the others log in.
      person = watched(scene, n < 4 ? await signUp(server.url) : continueSession(server.url, new Map()));
      await signIn(scene, person, login);
    }
    for (let time = 0; time < 3; time += 1) await person.call('GET', '/api/codehost/repos');
    const repo = await registerHosted(person);
    await person.call('GET', `/api/repos/${repo.id}/issues`);
    people.push({ person, repo });
  }
  const [first, second, third] = people;
  if (first === undefined || second === undefined || third === undefined) throw new Error('nobody has signed in');
  const events: (IssueEvent | LiveEvent)[] = [];
  const waiting = await importToGate(first.person, first.repo, 7);
  await approve(first.person, waiting);
  await first.person.reaches(waiting.id, 'completed');
  events.push(...(await first.person.events(waiting.id)));
  for (const part of ['history', 'log', 'steps', 'plans', 'diff']) {
    await first.person.call('GET', `/api/issues/${waiting.id}/${part}`);
  }
  const forged = host.webhooks.deliveries[0];
  if (forged !== undefined) await host.webhooks.forge(forged, { secret: 'of somebody else' });
  await failEverywhere(scene, second.person, second.repo);
  expect((await third.person.call('DELETE', '/api/auth/codehost')).status).toBe(204);
  host.revokeTokens('person-5');
  expect((await people[5]?.person.call('GET', '/api/codehost/repos'))?.status).toBe(409);
  hunt.sawProcesses('at the end');

  for (const secret of host.secrets()) hunt.add('of the host', secret);
  expect(hunt.size).toBeGreaterThan(200);
  hunt.saw('events', JSON.stringify(events));
  const atHost = [await host.pulls(HOSTED), host.comments(HOSTED, 7), await host.git(HOSTED, 'log', '--all', '-p')];
  hunt.saw('at the host', JSON.stringify(atHost));
  const database = new URL(installation.DATABASE_URL ?? '').pathname.slice(1);
  for (const [table, rows] of await allRows(services, database)) hunt.saw(`table ${table}`, rows);
  expect(hunt.found(server.dataDir)).toEqual([]);

  // Each net catches what is in it: one secret more, put into every place by hand.
  const planted = `planted-${randomBytes(20).toString('hex')}`;
  hunt.add('planted', planted);
  await services.postgres.query(`update users set name = '${planted}' where email is not null`, database);
  for (const [table, rows] of await allRows(services, database)) hunt.saw(`table ${table}`, rows);
  await third.person.call('GET', '/api/auth/me');
  await third.person.call('GET', `/api/${planted}`);
  await eventually(() =>
    expect(hunt.found(server.dataDir)).toEqual([
      `${server.dataDir}/sluice.log: planted (plain)`, // written when the connection is free again, after the answer
      'answers: planted (plain)',
      'table-users: planted (plain)',
    ]),
  );
});

/** The rows of every table, those of the queue too. */
async function allRows({ postgres }: SharedServices, database: string): Promise<[string, string][]> {
  const tables = await postgres.query(
    `select table_schema, table_name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    database,
  );
  const rowsOf = async ({ table_schema: schema, table_name: name }: Record<string, unknown>) => {
    const rows = await postgres.query(`select * from "${schema}"."${name}"`, database);
    return [String(name), JSON.stringify(rows)] as [string, string];
  };
  return await Promise.all(tables.map(rowsOf));
}
