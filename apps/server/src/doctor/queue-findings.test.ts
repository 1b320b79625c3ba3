import { expect, it } from 'vitest';
import { queueFindings } from './queue-findings.ts';

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
