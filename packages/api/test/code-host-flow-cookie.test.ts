import type { CodeHostAccount } from '@sluice/core/code-host';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openBrowser } from './browser.ts';
import { type ScriptedIdentity, scriptedIdentity } from './scripted-identity.ts';
import { type RunningApi, startApi } from './start-api.ts';

const eve: CodeHostAccount = { id: '66', login: 'eve', name: null, avatarUrl: null };

let api: RunningApi;
let host: ScriptedIdentity;
beforeEach(async () => {
  host = scriptedIdentity();
  const ports = { codehost: { identity: host, host: {} as never, webhooks: null } };
  api = await startApi({ ports, publicUrl: new URL('https://sluice.example.test') });
});
afterEach(() => api[Symbol.asyncDispose]());

it('binds the cookie of a sign-in to this very host where the service is called by https', async () => {
  const { headers, body } = await openBrowser(api).call('POST', '/api/auth/codehost');
  expect(headers.getSetCookie()[0]).toMatch(
    /^__Host-codehost_flow_[\w-]{8}=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(String(body.authorization_url)).toContain(
    encodeURIComponent('https://sluice.example.test/api/auth/codehost/callback'),
  );
});

it('refuses under https a sign-in whose cookie a sibling host could have planted', async () => {
  const browser = openBrowser(api);
  const { body } = await browser.call('POST', '/api/auth/codehost');
  const back = host.walk(String(body.authorization_url), eve);
  const [[name = '', own] = []] = [...browser.cookies];
  const victim = openBrowser(api);
  victim.setCookie(`${name.replace('__Host-', '')}=${own?.value}; Path=/api/auth/codehost`);
  expect(await victim.call('GET', back)).toMatchObject({ status: 400, body: { code: 'codehost_state_invalid' } });
  expect(victim.cookies.has('access_token')).toBe(false);

  const answer = await browser.call('GET', back);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/issues']);
  expect([...browser.cookies.keys()]).toEqual(['access_token']);
});
