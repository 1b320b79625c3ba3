import { expect, it } from 'vitest';
import { chosenServer } from './known-servers.ts';

it.each([
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['localhost:3000/', 'http://localhost:3000'],
  ['[::1]:3000', 'http://[::1]:3000'],
  ['sluice.example.com', 'https://sluice.example.com'],
  ['sluice.example.com:8443/base/', 'https://sluice.example.com:8443/base'],
  ['http://sluice.example.com', 'http://sluice.example.com'],
  ['http://sluice.example.com/base/api/docs', 'http://sluice.example.com/base'],
  ['http://sluice.example.com/api/', 'http://sluice.example.com'],
])('reads %s as %s', async (given, url) => {
  expect(await chosenServer(given)).toBe(url);
});

it.each(['ftp://example.com', 'https://user@example.com', 'https://example.com?x', 'a b'])(
  'refuses %s',
  async (given) => {
    await expect(chosenServer(given)).rejects.toThrow('--url');
  },
);
