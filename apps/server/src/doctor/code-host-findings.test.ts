import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RepoId } from '@sluice/core/id';
import { expect, it } from 'vitest';
import type { CodeHostSettings } from '../config/code-host-settings.ts';
import { codeHostFindings } from './code-host-findings.ts';

const settings: CodeHostSettings = {
  url: 'http://127.0.0.1:2',
  apiUrl: 'http://127.0.0.1:2',
  fileOrigins: undefined,
  clientId: 'an-app',
  clientSecret: 'canary-secret',
  webhookSecret: 'canary-of-the-webhooks',
  scopes: ['repo'],
  buildRounds: 2,
  followUpRounds: 5,
  pollMs: 60_000,
};

async function found(changes: Partial<CodeHostSettings> = {}) {
  const findings = await codeHostFindings({ ...settings, ...changes }, null);
  expect(JSON.stringify(findings)).not.toContain('canary');
  return findings;
}

it('reports what is missing without a code host, which is not a problem', async () => {
  expect(await codeHostFindings(null, null)).toEqual([
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

it('names repositories whose address is no owner and name at the code host, with the remedy', async () => {
  const misplaced = Array.from({ length: 7 }, (_, at) => ({
    id: `0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4${at}` as RepoId,
    name: `sub/project-${at}`,
    url: `http://127.0.0.1:2/group/sub/project-${at}`,
  }));
  const [first, ...others] = (await codeHostFindings(settings, { misplaced })).filter(({ fix }) =>
    /by its URL/.test(fix ?? ''),
  );
  expect(first).toMatchObject({ subject: 'code host', state: 'warning' });
  expect(first?.detail).toContain(
    'sub/project-0 (0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e40, http://127.0.0.1:2/group/sub/project-0)',
  );
  expect(first?.detail).toMatch(/project-4\) and 2 more$/);
  expect(others).toEqual([]);
  expect(await codeHostFindings(settings, { misplaced: [] })).toEqual(await codeHostFindings(settings, null));
});
