import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createSluiceClient } from '@sluice/client';
import { tokenScopes } from '@sluice/core/access';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCOPES } from '../src/command/tokens/tokens-group.ts';
import { makeSampleRepo } from '../src/local/sample-repo.ts';
import { openTerminal, type Service, signUp, startService, type Terminal } from './terminal.ts';

let ada: Terminal;
let job: Terminal;
let service: Service;

beforeAll(async () => {
  ada = await openTerminal();
  job = await openTerminal();
  service = await startService(ada, { API_TOKENS: 'on' });
  await signUp(ada, service, 'ada@example.com');
  const added = await ada.sluice(['repos', 'add', await makeSampleRepo(ada.home)]);
  expect(added.code, added.stderr).toBe(0);
});

afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  ada?.[Symbol.dispose]();
  job?.[Symbol.dispose]();
});

async function create(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await ada.sluice(['tokens', 'create', 'CI', ...args]);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^The token is shown only once, and expires on \d{4}-\d\d-\d\d\.\n$/),
  ]);
  return stdout.trim();
}

it('knows the scopes of the server', () => {
  expect(SCOPES).toEqual(tokenScopes);
});

it('creates a token, which a job has in SLUICE_TOKEN, and revokes it', async () => {
  const token = await create('--scope', 'read', '--repo', 'invoice');
  const env = { SLUICE_URL: service.url, SLUICE_TOKEN: token };
  expect((await job.sluice(['repos', 'list'], { env })).stdout).toContain('invoice');
  const refused = await job.sluice(['repos', 'edit', 'invoice', '--name', 'x'], { env });
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('this needs admin')]);
  const account = await job.sluice(['sessions', 'list'], { env });
  expect([account.code, account.stderr]).toEqual([4, expect.stringContaining('Log in')]);
  const listed = await ada.sluice(['tokens', 'list']);
  expect(listed.stdout).toMatch(/^\S+\tread\tCI\t\S+\t….{4}\t\S+\t[\d :-]+, \S+\n$/);
  expect((await ada.sluice(['tokens', 'list', '--repo', 'invoice'])).stdout).toContain('\tread\tCI\t');
  const id = listed.stdout.split('\t')[0] ?? '';
  const revoked = await ada.sluice(['tokens', 'revoke', id]);
  expect([revoked.code, revoked.stderr]).toEqual([0, 'Revoked 1 token.\n']);
  const after = await job.sluice(['repos', 'list'], { env });
  expect([after.code, after.stderr]).toEqual([3, expect.stringContaining('not valid')]);
  expect((await ada.sluice(['tokens', 'revoke', id])).code).toBe(4);
});

it('stores a token that is given on standard input, and forgets it', async () => {
  const token = await create('--scope', 'write');
  const login = ['login', '--url', service.url, '--token'];
  const cut = await job.sluice(login, { input: token.slice(0, -2) });
  expect([cut.code, cut.stderr]).toEqual([2, expect.stringContaining('53 characters')]);
  expect(cut.stderr).not.toContain(token.slice(4, 20));
  const stored = await job.sluice(login, { input: `${token}\n` });
  expect([stored.code, stored.stdout]).toEqual([0, 'ada@example.com\n']);
  const folder = join(job.home, '.local/state/sluice/sessions');
  const [file = ''] = readdirSync(folder);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect((await job.sluice(['whoami'])).stdout).toContain('ada@example.com');
  expect((await job.sluice(['api', 'repos', '--jq', '.items[].name'])).stdout).toContain('invoice');
  const left = await job.sluice(['logout']);
  expect([left.code, left.stderr]).toEqual([0, expect.stringContaining('It stays valid')]);
  expect((await job.sluice(['whoami', '--url', service.url])).code).toBe(3);
});

it('lets operators list and revoke the tokens of any user', async () => {
  const token = await create('--scope', 'write');
  const admin = (...args: string[]) => ada.sluice(['admin', 'tokens', ...args, '--data-dir', service.dataDir]);
  const listed = await admin('list', '--user', 'ada@example.com');
  const [id = '', user] = listed.stdout.split('\t');
  expect([listed.code, user]).toEqual([0, 'ada@example.com']);
  expect((await admin('list', '--user', 'eve@example.com')).code).toBe(4);
  expect((await admin('revoke', id)).stdout).toBe('Revoked the API token of ada@example.com.\n');
  expect((await admin('revoke', id)).code).toBe(4);
  const client = createSluiceClient({ url: service.url, token });
  await expect(client.auth.me.query({})).rejects.toMatchObject({ code: 'token_invalid', status: 401 });
});

it('says that a server takes no tokens', async () => {
  const off = await startService(job);
  try {
    const env = { SLUICE_URL: off.url, SLUICE_TOKEN: `slc_${'0'.repeat(43)}${'0'.repeat(6)}` };
    const wrong = await job.sluice(['whoami'], { env });
    expect(wrong.code).toBe(2); // its checksum
    const token = await create('--scope', 'read');
    const refused = await job.sluice(['whoami'], { env: { ...env, SLUICE_TOKEN: token } });
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('API_TOKENS=on')]);
    await signUp(job, off, 'bob@example.com');
    const made = await job.sluice(['tokens', 'create', 'CI', '--scope', 'read']);
    expect([made.code, made.stderr]).toEqual([5, expect.stringContaining('API_TOKENS=on')]);
  } finally {
    await off[Symbol.asyncDispose]();
  }
});
