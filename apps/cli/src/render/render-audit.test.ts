import { expect, it } from 'vitest';
import { renderVerification } from './render-audit.ts';

const head = {
  ...{ format: 1 as const, number: 7, hash: 'abc', key: 'k', to_ordinal: 9, entries: 9 },
  sealed_at: '2026-11-20T09:15:00.000Z',
};
const intact = {
  ...{ intact: true, entries: 9, seals: 6, last: head, head, put_back: [], findings: [], more_findings: 0 },
  unsealed: { entries: 0, since: null },
};

it('says what was checked, and which head to keep', () => {
  expect(renderVerification(intact).split('\n')).toEqual([
    'Intact: 9 entries, 6 seals.',
    'The head is seal 7 of 2026-11-20T09:15:00.000Z, hash abc.',
  ]);
});

it('gives each finding a line, and says what was put back and what is not sealed', () => {
  const finding = { kind: 'entries_changed', from: 4, to: 4, text: 'Entries were changed.' } as const;
  const at = '2026-11-20T09:00:00.000Z';
  const found = { ...intact, intact: false, findings: [finding], more_findings: 2, head: null };
  const put_back = [{ from_seal: 2, to_seal: 2, at }];
  const lines = renderVerification({ ...found, put_back, unsealed: { entries: 1, since: at } }).split('\n');
  expect(lines).toEqual([
    'ordinal 4: Entries were changed.',
    '… and 2 more findings.',
    `Seal 2 is missing on purpose: at ${at} it was recorded that the database had been put back from a copy.`,
    'NOT INTACT: 3 findings in 9 entries, 6 seals.',
    `Not sealed yet, so not checked: 1 entry since ${at}.`,
    'No head is known on this machine, so a log that was cut off is not noticed: name one with --head.',
    'The head is seal 7 of 2026-11-20T09:15:00.000Z, hash abc.',
  ]);
});
