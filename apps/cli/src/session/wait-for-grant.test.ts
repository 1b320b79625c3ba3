import { expect, it } from 'vitest';
import { waitForGrant } from './wait-for-grant.ts';

const state = 'the-state-of-this-sign-in';

it('accepts one grant with the right state, and confirms it in the browser', async () => {
  await using waiting = await waitForGrant(state);
  const at = (query: string, init?: RequestInit) => fetch(`http://127.0.0.1:${waiting.port}${query}`, init);
  for (const [query, method] of [
    ['/?grant=forged&state=of-another', 'GET'],
    ['/?grant=forged', 'GET'],
    [`/elsewhere?grant=forged&state=${state}`, 'GET'],
    [`/?grant=forged&state=${state}`, 'POST'],
    ['//', 'GET'],
  ] as const) {
    expect((await at(query, { method })).status, query).toBe(404);
  }
  const answer = await at(`/?grant=ours&state=${state}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'");
  expect(await answer.text()).toContain('You can close this window.');
  expect(await waiting.grant).toBe('ours');
  expect((await at(`/?grant=second&state=${state}`)).status).toBe(404);
});

it('rejects with the reason when the sign-in failed, and does not show it on the page', async () => {
  await using waiting = await waitForGrant(state);
  const query = new URLSearchParams({ error: '<b>\x1b[2J', state });
  const page = await (await fetch(`http://127.0.0.1:${waiting.port}/?${query}`)).text();
  expect(page).not.toContain('<b>');
  await expect(waiting.grant).rejects.toMatchObject({ code: 3, message: expect.stringContaining('(<b>␛[2J)') });
});

it('times out', async () => {
  await using waiting = await waitForGrant(state, 20);
  await expect(waiting.grant).rejects.toMatchObject({ code: 3, message: expect.stringContaining('was not completed') });
});
