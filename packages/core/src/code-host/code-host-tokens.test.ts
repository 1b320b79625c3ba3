import { beforeEach, expect, it } from 'vitest';
import type { TokenCipher } from '../account/token-cipher.ts';
import { AppError } from '../error/app-error.ts';
import type { UserId } from '../id/id.ts';
import type { CodeHostGrant } from './code-host.ts';
import { type CodeHostTokensContext, createCodeHostTokens, encryptGrant } from './code-host-tokens.ts';
import type { StoredGrant } from './link-store.ts';

const ann = 'ann' as UserId;
const clock = { now: () => new Date('2026-11-20T09:15:00.000Z') };
const never = new AbortController().signal;
const HOUR_MS = 3_600_000;

/** Says whose it is, and turns the text around so that nothing works by reading it. */
const cipher: TokenCipher = {
  encrypt: ({ userId }, token) => ({ encrypted: `${userId}:${[...token].reverse().join('')}`, nonce: 'nonce' }),
  decrypt: ({ userId }, { encrypted }) => {
    if (!encrypted.startsWith(`${userId}:`)) throw new Error('another user');
    return [...encrypted.slice(userId.length + 1)].reverse().join('');
  },
};

let row: StoredGrant | null;
const links: CodeHostTokensContext['links'] = {
  grant: async () => row,
  replaceGrant: async (_userId, version, grant) => {
    if (row?.version !== version) return false;
    row = { ...grant, version: version + 1, refused: false };
    return true;
  },
  refuseGrant: async (_userId, version) => {
    if (row?.version === version) row = { ...row, refused: true };
  },
};

/** The host's side: refresh tokens are good for one use, and answers wait until they are let go. */
let host: { live: string; uses: number; held: PromiseWithResolvers<void> | null; revoked: string[] };
const identity: CodeHostTokensContext['identity'] = {
  refresh: async (refreshToken, signal) => {
    host.uses += 1;
    if (refreshToken !== host.live) throw new AppError('codehost_relink_needed');
    host.live = `refresh-${host.uses}`;
    const grant = grantOf(host.uses, new Date(clock.now().getTime() + HOUR_MS));
    await host.held?.promise;
    signal.throwIfAborted();
    return grant;
  },
  revoke: async (token) => void host.revoked.push(token),
};

const grantOf = (n: number, expiresAt: Date | null): CodeHostGrant => ({
  accessToken: `access-${n}`,
  refreshToken: `refresh-${n}`,
  expiresAt,
});
const openProcess = () => createCodeHostTokens({ links, cipher, identity, clock });
const refused = { code: 'codehost_relink_needed' };

beforeEach(() => {
  row = { ...encryptGrant(cipher, ann, grantOf(0, clock.now())), version: 1, refused: false };
  host = { live: 'refresh-0', uses: 0, held: null, revoked: [] };
});

it('refreshes a token that ends within the minute once, for all who need it at the same time', async () => {
  const tokens = openProcess();
  const all = await Promise.all(Array.from({ length: 5 }, () => tokens.of(ann, never)));
  expect(new Set(all)).toEqual(new Set(['access-1']));
  expect(host.uses).toBe(1);
  expect(await tokens.of(ann, never)).toBe('access-1');
  expect(host.uses).toBe(1);
});

it('stores the answer of the host when its caller has aborted', async () => {
  host.held = Promise.withResolvers();
  const tokens = openProcess();
  const leaving = new AbortController();
  const asked = tokens.of(ann, leaving.signal);
  await expect.poll(() => host.uses).toBe(1);
  leaving.abort(new Error('left'));
  await expect(asked).rejects.toThrow('left');
  host.held.resolve();
  expect(await tokens.of(ann, never)).toBe('access-1');
  expect(row).toMatchObject({ version: 2, refused: false });
});

it('waits for another process that has used the refresh token up and has not written yet what it got', async () => {
  host.held = Promise.withResolvers();
  const faster = openProcess().of(ann, never);
  await expect.poll(() => host.uses).toBe(1);
  const slower = openProcess().of(ann, never);
  await expect.poll(() => host.uses).toBe(2);
  host.held.resolve();
  expect(await Promise.all([faster, slower])).toEqual(['access-1', 'access-1']);
  expect(row).toMatchObject({ version: 2, refused: false });
});

it('gives back what it got when the account was unlinked meanwhile', async () => {
  host.held = Promise.withResolvers();
  const asked = openProcess().of(ann, never);
  await expect.poll(() => host.uses).toBe(1);
  row = null;
  host.held.resolve();
  await expect(asked).rejects.toMatchObject({ code: 'codehost_not_linked' });
  expect(host.revoked).toEqual(['access-1']);
});

it('requires a new link when no other process has refreshed the token, and sends no further request', async () => {
  host.live = 'of somebody else';
  const tokens = openProcess();
  await expect(tokens.of(ann, never)).rejects.toMatchObject(refused);
  await expect(tokens.of(ann, never)).rejects.toMatchObject(refused);
  expect(host.uses).toBe(1);
});

it('does the work again when its token was replaced under way', async () => {
  row = { ...encryptGrant(cipher, ann, grantOf(0, null)), version: 1, refused: false };
  const used: string[] = [];
  const answer = await openProcess().callAsUser(ann, never, async ({ token }) => {
    used.push(token);
    if (used.length > 1) return 'done';
    // It ends within the minute as well, and is not refreshed all the same: that would end it for others.
    await links.replaceGrant(ann, 1, encryptGrant(cipher, ann, grantOf(9, clock.now())));
    throw new AppError('codehost_relink_needed');
  });
  expect([answer, used]).toEqual(['done', ['access-0', 'access-9']]);
  expect(row).toMatchObject({ refused: false });
  expect(host.uses).toBe(0);
});

it('does it no second time where the host refuses the token that is kept', async () => {
  row = { ...encryptGrant(cipher, ann, grantOf(0, null)), version: 1, refused: false };
  let uses = 0;
  const work = async () => {
    uses += 1;
    throw new AppError('codehost_relink_needed');
  };
  await expect(openProcess().callAsUser(ann, never, work)).rejects.toMatchObject(refused);
  expect([uses, row.refused]).toEqual([1, true]);
});

it('quotes nothing of a decrypted grant that has another form', async () => {
  row = {
    encryptedToken: cipher.encrypt({ kind: 'codehost_grant', id: ann, userId: ann }, 'canary'),
    expiresAt: null,
    version: 1,
    refused: false,
  };
  const thrown = await openProcess().of(ann, never).then(String, String);
  expect(thrown).toMatch(/^Error: An encrypted grant/);
  expect(thrown).not.toContain('canary');
});

it('asks for the account again where a token cannot be opened, and leaves it for when its key is back', async () => {
  const encryptedToken = {
    ...cipher.encrypt({ kind: 'codehost_grant', id: ann, userId: ann }, 'canary'),
    encrypted: 'under a lost key',
  };
  const kept = { encryptedToken, expiresAt: null, version: 1, refused: false };
  row = kept;
  await expect(openProcess().of(ann, never)).rejects.toMatchObject(refused);
  await expect(openProcess().callAsUser(ann, never, async () => 'done')).rejects.toMatchObject(refused);
  expect(row).toEqual(kept);
});
