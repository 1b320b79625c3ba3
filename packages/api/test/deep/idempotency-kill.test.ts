import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { migratedDatabase } from '@sluice/db/scratch';
import { newId, type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStoresAt } from '../open-stores-at.ts';
import { startApi } from '../start-api.ts';

// Usual way: packages/api/test/idempotency.test.ts

const script = fileURLToPath(new URL('../serve-until-killed.ts', import.meta.url));
const children: ChildProcess[] = [];
let folder: string;
let postgres: PostgresDatabases;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-idempotency-'));
  postgres = await sharedPostgres();
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** A separate process that serves this database until it kills itself. */
async function serveAndDie(place: string, when: 'before' | 'after') {
  const child = spawn(process.execPath, [script, place, when], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const ended = once(child, 'exit').then(([, signal]) => signal as string | null);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: port } = await lines.next();
  return { url: `http://127.0.0.1:${port}`, ended };
}

/** The same service again, in this process. */
const serveAgain = (place: string) => startApi({ openStores: (options) => openStoresAt(place, options) });

interface Request {
  readonly method: string;
  readonly path: string;
  readonly json?: object;
  readonly key?: string;
}

/** Calls as one user, whose session outlives the process. */
const caller = (cookie: string) => async (url: string, request: Request) => {
  const { method, path, json, key } = request;
  const named = key === undefined ? {} : { 'idempotency-key': key };
  const headers = { cookie, 'content-type': 'application/json', ...named };
  const response = await fetch(url + path, { method, headers, ...(json && { body: JSON.stringify(json) }) });
  const text = await response.text();
  const { id, items } = (text === '' ? {} : JSON.parse(text)) as { id: string; items: { id: string }[] };
  return { status: response.status, replayed: response.headers.get('idempotency-replayed'), text, id, items };
};

async function signUp(url: string): Promise<string> {
  const json = { email: `${newId()}@example.com`, password: 'a staple of batteries' };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/auth/register`, { method: 'POST', headers, body: JSON.stringify(json) });
  return response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

/** Waits until the claim of a dead process expires. */
function letClaimsRunOut(dataDir: string): void {
  const Database = createRequire(import.meta.resolve('@sluice/db'))('better-sqlite3');
  const database = new Database(join(dataDir, 'sluice.db'));
  database.prepare('update request_answers set held_until = 1 where held_until is not null').run();
  database.close();
}

const anvil: Request = {
  method: 'POST',
  path: '/api/repos',
  json: { url: 'https://example.test/acme/anvil' },
  key: 'k',
};
const issues: Request = { method: 'GET', path: '/api/issues' };

/** Asks for an issue of a process that dies over it. */
async function askTheDying(place: string, when: 'before' | 'after') {
  const dying = await serveAndDie(place, when);
  const call = caller(await signUp(dying.url));
  const repo = await call(dying.url, anvil);
  const request: Request = {
    method: 'POST',
    path: '/api/issues',
    json: { repo_id: repo.id, title: 'A', body: '' },
    key: 'k',
  };
  await expect(call(dying.url, request)).rejects.toThrow();
  expect(await dying.ended).toBe('SIGKILL');
  return { call, repo, request };
}

describe.each(['SQLite', 'Postgres'])('a process that dies with a named request, over %s', (engine) => {
  const newPlace = async () =>
    engine === 'SQLite' ? mkdtempSync(join(folder, 'data-')) : await migratedDatabase(postgres);

  it('right after the issue was written leaves its answer, though the issue has ended since', async () => {
    const place = await newPlace();
    const { call, repo, request } = await askTheDying(place, 'after');
    await using next = await serveAgain(place);
    const first = await call(next.url, request);
    expect([first.status, first.replayed]).toEqual([201, 'true']);
    expect((await call(next.url, { method: 'DELETE', path: `/api/issues/${first.id}` })).status).toBe(204);
    const again = await call(next.url, request);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await call(next.url, issues)).items.map(({ id }) => id)).toEqual([first.id]);
    expect((await call(next.url, anvil)).text).toBe(repo.text);
  });
});

it('a process that dies right before it writes leaves the request to its retry', async () => {
  const place = mkdtempSync(join(folder, 'data-'));
  const { call, request } = await askTheDying(place, 'before');
  letClaimsRunOut(place);
  await using next = await serveAgain(place);
  const first = await call(next.url, request);
  expect([first.status, first.replayed]).toEqual([201, null]);
  const again = await call(next.url, request);
  expect([again.status, again.replayed, again.text]).toEqual([201, 'true', first.text]);
  expect((await call(next.url, issues)).items).toHaveLength(1);
});
