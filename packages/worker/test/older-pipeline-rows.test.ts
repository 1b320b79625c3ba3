import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssueStore } from '@sluice/core/issue';
import { type Stage, stages } from '@sluice/core/pipeline';
import { openSqlite } from '@sluice/db';
import { until } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld } from './world.ts';

/** The keys of the document that every release so far has written. */
const FIRST_RELEASE = [
  'base_commit',
  'base_test',
  'branch',
  'feedback',
  'guidance',
  'implement_round',
  'implementation',
  'review',
  'review_send_backs',
  'setup_command',
  'test_command',
  'test_send_backs',
  'tests',
  'triage',
];
/** The members that the release before this one knows besides. */
const RELEASE_BEFORE = [
  ...FIRST_RELEASE,
  'approved',
  'base_moved',
  'budget',
  'budget_warned',
  'cost_unknown_told',
  'past_rounds',
  'publication',
  'reminded_at',
  'retrieved',
  'round_goes_on',
  'tree',
  'warnings',
];

/** The members that it does not know, and drops. */
const THIS_RELEASE = [
  'setup_source',
  'test_source',
  'prepared_with',
  'resume_at',
  'ended_round',
  'environment',
  'must_pass',
  'reproduction_asked',
];

/** A store whose process dies when the pipeline has come to `stage`, after the write and before anybody hears of it. */
function dyingAt(stage: Stage, issues: IssueStore, died: () => void): IssueStore {
  return {
    ...issues,
    async apply(change) {
      const outcome = await issues.apply(change);
      if (change.lease === undefined || change.set?.stage !== stage) return outcome;
      died();
      return await new Promise(() => undefined);
    },
  };
}

describe('a pipeline that an older release has worked on', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'sluice-older-rows-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it.each(stages.slice(1))('continues from `%s` to its end', async (stage) => {
    await using world = await openWorld({
      open: ({ signals, sink, cap }) =>
        openSqlite({
          dataDir,
          clock: { now: () => new Date() },
          maxActivePipelines: cap,
          onEvents: (hint) => signals.eventsWritten(hint),
          onRunnable: (ids) => sink.runnable(ids),
        }),
    });
    let isDead = false;
    const issues = dyingAt(stage, world.issues, () => {
      isDead = true;
    });
    const first = await world.startWorker({ deps: { issues } });
    const { id } = await world.newIssue();
    let isApproved = false;
    const approve = async () => {
      const { gate, status } = await world.get(id);
      if (isApproved || gate === null || status !== 'awaiting_approval') return;
      await world.decide(id, { action: 'approve' });
      isApproved = true;
    };
    // An approval leads to `implement`, and is not a worker's write.
    await until(`the issue is at ${stage}`, async () => {
      if (stage !== 'human_review') await approve();
      return isDead || (stage === 'implement' && isApproved);
    });
    first.abandon();

    const raw = new Sqlite(join(dataDir, 'sluice.db'));
    const read = raw.prepare<[string], string>('select pipeline from issues where id = ?').pluck();
    const stored: Record<string, unknown> = JSON.parse(read.get(id) ?? '');
    expect([...RELEASE_BEFORE, ...THIS_RELEASE]).toEqual(expect.arrayContaining(Object.keys(stored)));
    const older = Object.fromEntries(FIRST_RELEASE.map((key) => [key, stored[key]]));
    raw.prepare('update issues set pipeline = ? where id = ?').run(JSON.stringify(older), id);
    raw.close();

    await world.runs.expireLeases();
    await world.startWorker();
    await until('the issue ended', async () => {
      await approve();
      return (await world.get(id)).finishedAt !== null;
    });
    expect(await world.get(id)).toMatchObject({
      status: 'completed',
      error: null,
      result: { tests: { verdict: 'green', base_exit_code: 1 } },
    });
  });
});
