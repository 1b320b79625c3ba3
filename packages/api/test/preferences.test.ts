import { expect, it } from 'vitest';
import { startApi } from './start-api.ts';

it('keeps what each user likes, refuses what it does not know, and leaves the rest as it is', async () => {
  await using api = await startApi();
  const [ada, eve] = [await api.login(), await api.login()];
  const defaults = { theme: 'system', diff: 'split', notifications: false, shortcuts: true };
  const patch = (json: object) => api.call('PATCH', '/api/auth/preferences', { as: ada, json });
  const changed = await patch({ theme: 'dark', notifications: true });
  expect([changed.status, changed.body]).toEqual([200, { ...defaults, theme: 'dark', notifications: true }]);
  for (const wrong of [{}, { font: 'serif' }, { theme: 'sepia' }, { shortcuts: null }, { theme: 'light', font: 1 }]) {
    expect((await patch(wrong)).status, JSON.stringify(wrong)).toBe(400);
  }
  const read = (as: typeof ada) => api.call('GET', '/api/auth/preferences', { as });
  expect((await read(ada)).body).toEqual(changed.body);
  expect((await read(eve)).body).toEqual(defaults);
});
