import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileCookies } from './file-cookies.ts';

const origin = 'http://127.0.0.1:3000';
const cookie = { name: 'access_token', value: 'secret', path: '/', secure: false, expires_at: null };
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice cookies '));
  file = join(folder, 'sessions', 'local.json');
});

afterEach(() => rmSync(folder, { recursive: true }));

it('stores cookies for other processes, unreadable to other users', async () => {
  expect(await fileCookies(file).load(origin)).toEqual([]);
  await fileCookies(file).save(origin, [cookie]);
  expect(await fileCookies(file).load(origin)).toEqual([cookie]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'sessions')).mode & 0o777).toBe(0o700);
});

it('makes the file private again after its mode was changed', async () => {
  await fileCookies(file).save(origin, [cookie]);
  writeFileSync(join(folder, 'open.json'), readFileSync(file), { mode: 0o666 });
  await fileCookies(join(folder, 'open.json')).save(origin, [cookie]);
  expect(statSync(join(folder, 'open.json')).mode & 0o777).toBe(0o600);
});

it('has no cookies for another origin', async () => {
  await fileCookies(file).save(origin, [cookie]);
  expect(await fileCookies(file).load('http://127.0.0.1:3001')).toEqual([]);
});

it('removes the file with the last cookie', async () => {
  await fileCookies(file).save(origin, [cookie]);
  await fileCookies(file).save(origin, []);
  expect(existsSync(file)).toBe(false);
});

it.each(['', '{', 'null', '{"origin":1,"cookies":[]}', `{"origin":"${origin}","cookies":[1,null,{"name":"a"}]}`])(
  'loads no cookie from a file that contains %s',
  async (content) => {
    writeFileSync(join(folder, 'damaged.json'), content);
    expect(await fileCookies(join(folder, 'damaged.json')).load(origin)).toEqual([]);
  },
);

it('always shows readers a complete file while many processes write', async () => {
  const stores = Array.from({ length: 20 }, () => fileCookies(file));
  await fileCookies(file).save(origin, [cookie]);
  await Promise.all(
    stores.flatMap((store, index) => [
      store.save(origin, [{ ...cookie, value: `v${index}` }]),
      Promise.resolve(store.load(origin)).then((kept) => expect(kept).toHaveLength(1)),
    ]),
  );
  expect(readdirSync(join(folder, 'sessions'))).toEqual(['local.json']);
});
