import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { notificationFormats, notificationKinds } from '../../packages/core/src/notification/index.ts';

const page = readFileSync(new URL('../../docs/notifications.md', import.meta.url), 'utf8');

it('docs/notifications.md has a row for every kind, and every format of a chat', () => {
  const rows = [...page.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, kind]) => kind);
  expect(rows).toEqual(expect.arrayContaining([...notificationKinds, 'test']));
  for (const format of notificationFormats.filter((one) => one !== 'standard')) {
    expect(page).toContain(`| \`${format}\` |`);
  }
});
