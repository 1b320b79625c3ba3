import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { serveOnLoopback, untilFound } from '@sluice/testing';
import { expect, it } from 'vitest';
import { backUp, rotateKeys } from '../src/index.ts';
import { type HttpSession, signUp } from './http-session.ts';
import { type ScratchServer, startScratchServer } from './scratch-server.ts';

const TARGETS = '/api/notifications/targets';
const CANARY = 'x9Fq2-canary-of-a-chat';
const keyOf = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

interface Target {
  readonly id: string;
  readonly url: string | null;
}

/** A chat that takes everything, and a server that may reach it. */
async function startChat() {
  const paths: string[] = [];
  const server = await serveOnLoopback((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(204).end();
  });
  return { ...server, paths, url: `${server.origin}/services/${CANARY}`, allowed: new URL(server.origin).host };
}

/** The files of a folder that hold the canary, also in free space and in the log of the database. */
function filesWithCanary(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(CANARY))
    .map(({ name }) => name);
}

async function tells(person: HttpSession, { id }: Target, chat: { readonly paths: readonly string[] }): Promise<void> {
  const before = chat.paths.length;
  expect((await person.call('POST', `${TARGETS}/${id}/test`)).status).toBe(201);
  expect(await untilFound(async () => chat.paths[before])).toContain(CANARY);
}

/** Changes the database of a server that is stopped. */
function onDatabase<T>({ dataDir }: ScratchServer, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(dataDir, 'sluice.db'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

it('keeps the URL of a chat encrypted, on disk and in a backup, and rotates its key with the others', async () => {
  await using chat = await startChat();
  const common = { NOTIFY_ALLOW_HOSTS: chat.allowed, SESSION_SECRET: 's'.repeat(32) };
  const [old, fresh] = [keyOf('old'), keyOf('new')];
  await using server = await startScratchServer({ ...common, ENCRYPTION_KEYS: old });
  const person = await signUp(server.url);
  const { body } = await person.call<Target>('POST', TARGETS, { url: chat.url, format: 'slack' });
  expect(body.url).toBe(chat.url);
  await tells(person, body, chat);
  expect(filesWithCanary(server.dataDir)).toEqual([]);

  await server.close();
  const both = { ...common, ENCRYPTION_KEYS: `${fresh},${old}`, DATA_DIR: server.dataDir };
  expect(await rotateKeys({ overrides: both, dotEnv: false })).toMatchObject({
    notification_urls: 1,
    second_factors: 0,
    unreadable: 0,
  });
  const file = join(server.dataDir, 'backup.tar.gz');
  await backUp({ file, replace: false, overrides: both, dotEnv: false });
  expect(gunzipSync(readFileSync(file)).includes(body.id)).toBe(true);
  expect(gunzipSync(readFileSync(file)).includes(CANARY)).toBe(false);
  expect(filesWithCanary(server.dataDir)).toEqual([]);

  await using after = await startScratchServer({ ...common, ENCRYPTION_KEYS: fresh }, server.dataDir);
  const again = person.at(after.url);
  expect((await again.call<Target>('GET', `${TARGETS}/${body.id}`)).body.url).toBe(chat.url);
  await tells(again, body, chat);
});

it('encrypts at its start a URL that an earlier release stored in the clear, and leaves no trace of it', async () => {
  await using chat = await startChat();
  await using server = await startScratchServer({ NOTIFY_ALLOW_HOSTS: chat.allowed });
  const person = await signUp(server.url);
  const { body } = await person.call<Target>('POST', TARGETS, { url: `${chat.origin}/other` });
  for (let more = 0; more < 9; more += 1) await person.call('POST', TARGETS, { url: `${chat.origin}/${more}` });
  await server.close();
  onDatabase(server, (database) => {
    database.prepare('update notification_targets set url = ?').run(chat.url); // of all
  });
  expect(filesWithCanary(server.dataDir)).toEqual(['sluice.db']);

  await using after = await server.restart();
  const again = person.at(after.url);
  expect((await again.call<Target>('GET', `${TARGETS}/${body.id}`)).body.url).toBe(chat.url);
  await tells(again, body, chat);
  await after.close();
  expect(filesWithCanary(after.dataDir)).toEqual([]);
});

it('asks for a URL again whose key was removed, and sends nothing until it has one', async () => {
  await using chat = await startChat();
  const common = { NOTIFY_ALLOW_HOSTS: chat.allowed, SESSION_SECRET: 's'.repeat(32) };
  await using server = await startScratchServer({ ...common, ENCRYPTION_KEYS: keyOf('old') });
  const person = await signUp(server.url);
  const { body } = await person.call<Target>('POST', TARGETS, { url: chat.url });
  await using without = await server.restart({ ...common, ENCRYPTION_KEYS: keyOf('new') });
  const again = person.at(without.url);
  const path = `${TARGETS}/${body.id}`;
  expect((await again.call<Target>('GET', path)).body.url).toBeNull();
  await again.call('POST', `${path}/test`);
  const failed = await untilFound(async () => {
    const { items } = (await again.call<{ items: { last_error: string | null }[] }>('GET', `${path}/deliveries`)).body;
    return items.find((one) => one.last_error !== null);
  });
  expect(failed).toMatchObject({ status: 'pending', last_error: expect.stringContaining('Set it again') });
  expect((await again.call<Target>('PATCH', path, { url: chat.url })).body.url).toBe(chat.url);
  await tells(again, body, chat);
});
