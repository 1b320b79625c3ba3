import { expect, it } from 'vitest';
import { historyFindings } from './diagnose.ts';

const MIB = 1024 ** 2;
const none = { eventRetentionMs: null };
const ofSize = (mib: number, saved = mib / 4) => ({
  history: {
    events: mib * MIB,
    journals: 10 * MIB,
    commandOutput: 0,
    savings: [
      { days: 30, bytes: (mib / 2) * MIB },
      { days: 90, bytes: saved * MIB },
      { days: 365, bytes: 0 },
    ],
  },
});

it('tells what the history takes and what each retention would save', () => {
  expect(historyFindings(none, ofSize(20))).toEqual([
    {
      subject: 'history',
      state: 'ok',
      detail:
        'events take about 20 MiB, journals 10 MiB, command output 0 MiB; deleted today would be 10 MiB with EVENT_RETENTION=30d, 5 MiB with EVENT_RETENTION=90d, 0 MiB with EVENT_RETENTION=365d',
      fix: null,
    },
  ]);
});

it('warns where it takes much and a retention would help, unless one is set', () => {
  expect(historyFindings(none, ofSize(2_000))).toMatchObject([{ state: 'warning', fix: expect.stringMatching(/90d/) }]);
  expect(historyFindings({ eventRetentionMs: 1 }, ofSize(2_000))).toMatchObject([{ state: 'ok' }]);
  expect(historyFindings(none, ofSize(2_000, 100))).toMatchObject([{ state: 'ok' }]);
  expect(historyFindings(none, null)).toEqual([]);
  expect(historyFindings(none, { history: null })).toEqual([]);
});
