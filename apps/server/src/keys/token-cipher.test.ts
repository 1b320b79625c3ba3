import { randomBytes } from 'node:crypto';
import type { TokenOwner } from '@sluice/core/account';
import { expect, it } from 'vitest';
import { createTokenCipher } from './token-cipher.ts';

const id = (n: number) => `019aa000-0000-7000-8000-00000000000${n}`;
const USER: TokenOwner = { kind: 'repo_access_token', id: id(9), userId: id(1) };
const OTHER_USER: TokenOwner = { ...USER, userId: id(2) };
/** Its form alone counts: a token of the release before. */
const UNBOUND = { encrypted: 'older:x', nonce: '' };
const older = { id: 'older', key: randomBytes(32) };
const newer = { id: 'newer', key: randomBytes(32) };
const cipher = createTokenCipher([newer, older]);

it.each(['ghp_0123456789', '', 'ünïcödé ☃', 'x'.repeat(10_000)])('decrypts what it encrypted: %s', (token) => {
  const encrypted = cipher.encrypt(USER, token);
  expect(cipher.decrypt(USER, encrypted)).toBe(token);
  if (token !== '') expect(JSON.stringify(encrypted)).not.toContain(token);
});

it('uses a new nonce of 96 bits for every write', () => {
  const nonces = Array.from({ length: 100 }, () => cipher.encrypt(USER, 'token').nonce);
  expect(new Set(nonces).size).toBe(100);
  expect(Buffer.from(nonces[0] ?? '', 'base64')).toHaveLength(12);
});

it.each<[string, TokenOwner]>([
  ['of another user', OTHER_USER],
  ['of the same user', { ...USER, id: id(8) }],
  ['of another kind', { ...USER, kind: 'codehost_grant' }],
])('does not open a token in a row %s', (_which, owner) => {
  expect(() => cipher.decrypt(owner, cipher.encrypt(USER, 'token'))).toThrow();
});

it('decrypts tokens that an earlier release bound only to their user, but not as tokens bound to a row', () => {
  const encrypted = cipher.encrypt(USER, 'token', UNBOUND);
  expect(encrypted.encrypted).toMatch(/^newer:[^:]+$/);
  expect(cipher.decrypt(USER, encrypted)).toBe('token');
  expect(() => cipher.decrypt(OTHER_USER, encrypted)).toThrow();
  const [key, data] = encrypted.encrypted.split(':');
  expect(() => cipher.decrypt(USER, { ...encrypted, encrypted: `${key}:v2:${data}` })).toThrow();
});

it('keeps the format of the replaced token, so that a process of the earlier release can still read it', () => {
  const bound = cipher.encrypt(USER, 'token');
  expect(cipher.encrypt(USER, 'token', bound).encrypted).toMatch(/^newer:v2:/);
  expect(cipher.encrypt(USER, 'token', null).encrypted).toMatch(/^newer:v2:/);
  expect(cipher.encrypt(USER, 'token', UNBOUND).encrypted).not.toContain('v2');
});

it('does not open a bound token as one that is not', () => {
  const { encrypted, nonce } = cipher.encrypt(USER, 'token');
  expect(() => cipher.decrypt(USER, { encrypted: encrypted.replace(':v2:', ':'), nonce })).toThrow();
});

it('rejects a token with any byte changed', () => {
  const { encrypted, nonce } = cipher.encrypt(USER, 'token');
  const [key, form, data = ''] = encrypted.split(':');
  const bytes = Buffer.from(data, 'base64');
  for (const [at] of bytes.entries()) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => cipher.decrypt(USER, { encrypted: `${key}:${form}:${changed.toString('base64')}`, nonce })).toThrow();
  }
  const otherNonce = randomBytes(12).toString('base64');
  expect(() => cipher.decrypt(USER, { encrypted, nonce: otherNonce })).toThrow();
});

it.each([0, 1, 4, 8, 12, 15])('rejects a tag of %d bytes', (length) => {
  const { nonce } = cipher.encrypt(USER, 'token');
  const encrypted = `newer:v2:${Buffer.alloc(length).toString('base64')}`;
  expect(() => cipher.decrypt(USER, { encrypted, nonce })).toThrow(/tag/i);
});

it('encrypts with the first key and decrypts with older ones', () => {
  const oldToken = createTokenCipher([older]).encrypt(USER, 'token');
  expect(cipher.decrypt(USER, oldToken)).toBe('token');
  expect(cipher.encrypt(USER, 'token').encrypted).toMatch(/^newer:/);
});

it('names the key that is missing', () => {
  const encrypted = createTokenCipher([{ id: 'gone', key: randomBytes(32) }]).encrypt(USER, 'token');
  expect(() => cipher.decrypt(USER, encrypted)).toThrow('the encryption key "gone" is not among ENCRYPTION_KEYS');
});

it('reports why it cannot decrypt a token, without the token', () => {
  const told: string[] = [];
  const watched = createTokenCipher([newer], ({ message }) => void told.push(message));
  const encrypted = createTokenCipher([older]).encrypt(USER, 'canary');
  expect(() => watched.decrypt(USER, encrypted)).toThrow();
  expect(() => watched.decrypt(OTHER_USER, watched.encrypt(USER, 'canary'))).toThrow();
  watched.decrypt(USER, watched.encrypt(USER, 'canary'));
  expect(told).toEqual(['the encryption key "older" is not among ENCRYPTION_KEYS', expect.stringMatching(/auth/)]);
});

it('needs a key', () => expect(() => createTokenCipher([])).toThrow('at least one key'));
