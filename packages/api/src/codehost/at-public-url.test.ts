import { expect, it } from 'vitest';
import { atPublicUrl } from './at-public-url.ts';

const path = '/api/auth/codehost/cli?port=1';

it.each([
  ['http://127.0.0.1:3000', 'localhost:3000', `http://127.0.0.1:3000${path}`],
  ['http://localhost:3000', '[::1]:3000', `http://localhost:3000${path}`],
  ['http://127.0.0.1:3000', '127.0.0.1:3000', null],
  ['http://127.0.0.1:3000', 'localhost:4000', null],
  ['http://127.0.0.1:3000', 'evil.example.test:3000', null],
  ['https://sluice.example.test', 'localhost', null],
  ['http://127.0.0.1:3000', 'not a host', null],
  ['http://127.0.0.1:3000', undefined, null],
])('of a server at %s sends whoever came to %s to %s', (publicUrl, host, to) => {
  expect(atPublicUrl(new URL(publicUrl), { host, path })).toBe(to);
});
