import { expect, it } from 'vitest';
import { parseConfig } from '../config/parse-config.ts';
import { queueFindings, slotFindings } from './queue-findings.ts';

it('warns of jobs that no worker takes, with the remedy', () => {
  const fix = expect.stringContaining('ROLE=worker');
  expect(queueFindings(1)).toEqual([
    {
      subject: 'job queue',
      state: 'warning',
      detail: '1 job has been due for more than 30 s and no worker takes it',
      fix,
    },
  ]);
  expect(queueFindings(4)).toMatchObject([
    { detail: '4 jobs have been due for more than 30 s and no worker takes them', fix },
  ]);
});

it('says nothing of a queue that is taken from, or that is not there', () => {
  expect(queueFindings(0)).toEqual([]);
  expect(queueFindings(null)).toEqual([]);
});

const found = (environment: Record<string, string>, survey: Parameters<typeof slotFindings>[1]) =>
  slotFindings(parseConfig(environment), survey).map(({ state, fix }) => `${state}: ${fix}`);

const LIMIT = 'warning: set MAX_ACTIVE_PIPELINES_PER_USER=3';
const GATES = 'warning: set GATE_KEEPS_SLOT=off';
const bounded = { MAX_ACTIVE_PIPELINES_PER_USER: '3', GATE_KEEPS_SLOT: 'off' };

it('recommends both settings where several accounts share the slots', () => {
  expect(found({}, { accounts: 2, longAtGate: 0 })).toEqual([LIMIT, GATES]);
  expect(found({ GATE_KEEPS_SLOT: 'off' }, { accounts: 2, longAtGate: 0 })).toEqual([LIMIT]);
  expect(found(bounded, { accounts: 2, longAtGate: 0 })).toEqual([]);
});

it('recommends nothing to an installation of one account, or an unknown one', () => {
  expect(found({}, { accounts: 1, longAtGate: 0 })).toEqual([]);
  expect(found({}, null)).toEqual([]);
});

it('warns of gates that have held slots for more than a day', () => {
  const [finding] = slotFindings(parseConfig({}), { accounts: 1, longAtGate: 2 });
  expect(finding?.detail).toBe('2 issues have held a slot at a gate for more than a day');
});
