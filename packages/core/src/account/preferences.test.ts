import { expect, it } from 'vitest';
import { toPreferences } from './preferences.ts';

const defaults = { theme: 'system', diff: 'split', notifications: false, shortcuts: true };

it.each([
  ['nothing was set', null, defaults],
  ['some are set', { theme: 'dark', shortcuts: false }, { ...defaults, theme: 'dark', shortcuts: false }],
  [
    'a newer release wrote members and values',
    { theme: 'sepia', diff: 'unified', font: 2 },
    { ...defaults, diff: 'unified' },
  ],
])('gives each preference where %s', (_, document, expected) => {
  expect(toPreferences(document)).toEqual(expected);
});
