import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { CodeHostSettings } from '../config/code-host-settings.ts';
import { codeHostFindings } from './code-host-findings.ts';

const settings: CodeHostSettings = {
  url: 'http://127.0.0.1:2',
  apiUrl: 'http://127.0.0.1:2',
  clientId: 'an-app',
  clientSecret: 'canary-secret',
  webhookSecret: 'canary-of-the-webhooks',
  scopes: ['repo'],
  buildRounds: 2,
  followUpRounds: 5,
  pollMs: 60_000,
};

async function found(changes: Partial<CodeHostSettings> = {}) {
  const findings = await codeHostFindings({ ...settings, ...changes });
  expect(JSON.stringify(findings)).not.toContain('canary');
  return findings;
}

it('reports what is missing without a code host, which is not a problem', async () => {
  expect(await codeHostFindings(null)).toEqual([
    { subject: 'code host', state: 'ok', detail: expect.stringContaining('CODEHOST_CLIENT_ID'), fix: null },
  ]);
});

it('accepts any answer of a host, and reports one that does not answer', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const states = (await found({ url })).map(({ state, detail }) => [state, detail]);
  server.close();
  expect(states).toEqual([
    ['ok', `${url} answers`],
    ['problem', 'http://127.0.0.1:2 does not answer (ECONNREFUSED)'],
    ['ok', 'signed webhook deliveries, polled every 60 s'],
  ]);
});

it.each([
  [{ webhookSecret: null, pollMs: 0 }, 'warning', 'neither webhook deliveries'],
  [{ webhookSecret: 'canary' }, 'warning', 'to be guessed'],
  [{ webhookSecret: null }, 'ok', 'no webhook deliveries, polled every 60 s'],
  [{ pollMs: 0 }, 'ok', 'signed webhook deliveries, not polled'],
])('with %j reports how changes are noticed', async (changes, state, detail) => {
  const changesFinding = (await found(changes)).at(-1);
  expect(changesFinding).toMatchObject({ state, detail: expect.stringContaining(detail) });
});
