import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createTokenCipher } from './token-cipher.ts';

const USER = '019aa000-0000-7000-8000-000000000001';
const OTHER_USER = '019aa000-0000-7000-8000-000000000002';
const older = { id: 'older', key: randomBytes(32) };
const newer = { id: 'newer', key: randomBytes(32) };
const cipher = createTokenCipher([newer, older]);

it.each(['ghp_0123456789', '', 'ünïcödé ☃', 'x'.repeat(10_000)])('opens what it sealed: %s', (token) => {
  const sealed = cipher.seal(USER, token);
  expect(cipher.open(USER, sealed)).toBe(token);
  if (token !== '') expect(JSON.stringify(sealed)).not.toContain(token);
});

it('takes a fresh nonce of 96 bits for every write', () => {
  const nonces = Array.from({ length: 100 }, () => cipher.seal(USER, 'token').nonce);
  expect(new Set(nonces).size).toBe(100);
  expect(Buffer.from(nonces[0] ?? '', 'base64')).toHaveLength(12);
});

it('does not open a token in the row of another user', () => {
  expect(() => cipher.open(OTHER_USER, cipher.seal(USER, 'token'))).toThrow();
});

it('opens nothing that was tampered with, at whatever byte', () => {
  const { encrypted, nonce } = cipher.seal(USER, 'token');
  const [id = '', data = ''] = encrypted.split(':');
  const bytes = Buffer.from(data, 'base64');
  for (const [at] of bytes.entries()) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => cipher.open(USER, { encrypted: `${id}:${changed.toString('base64')}`, nonce })).toThrow();
  }
  const otherNonce = randomBytes(12).toString('base64');
  expect(() => cipher.open(USER, { encrypted, nonce: otherNonce })).toThrow();
});

it.each([0, 1, 4, 8, 12, 15])('does not take %d bytes for a tag', (length) => {
  const { nonce } = cipher.seal(USER, 'token');
  const encrypted = `newer:${Buffer.alloc(length).toString('base64')}`;
  expect(() => cipher.open(USER, { encrypted, nonce })).toThrow(/tag/i);
});

it('seals with the first key and still opens what an older one sealed', () => {
  const sealedLongAgo = createTokenCipher([older]).seal(USER, 'token');
  expect(cipher.open(USER, sealedLongAgo)).toBe('token');
  expect(cipher.seal(USER, 'token').encrypted).toMatch(/^newer:/);
});

it('names the key that is missing', () => {
  const sealed = createTokenCipher([{ id: 'gone', key: randomBytes(32) }]).seal(USER, 'token');
  expect(() => cipher.open(USER, sealed)).toThrow('the encryption key "gone" is not among ENCRYPTION_KEYS');
});

it('tells of each token that it cannot open why, without the token', () => {
  const told: string[] = [];
  const watched = createTokenCipher([newer], ({ message }) => void told.push(message));
  const sealed = createTokenCipher([older]).seal(USER, 'canary');
  expect(() => watched.open(USER, sealed)).toThrow();
  expect(() => watched.open(OTHER_USER, watched.seal(USER, 'canary'))).toThrow();
  watched.open(USER, watched.seal(USER, 'canary'));
  expect(told).toEqual(['the encryption key "older" is not among ENCRYPTION_KEYS', expect.stringMatching(/auth/)]);
});

it('needs a key', () => expect(() => createTokenCipher([])).toThrow('at least one key'));
