import { AppError, type ErrorCode } from '@sluice/core/error';
import type { Issue, NewIssue } from '@sluice/core/issue';
import { aNewIssue, until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importedIssue, IMPORTED_NUMBER as NUMBER } from './imported-issue.ts';
import { type OutboundCall, outboundCalls, publishingHost } from './publishing-host.ts';
import { openWorld, type World } from './world.ts';

const ASKED_MS = 30;

/** The errors of the port, and whether publishing is retried automatically. */
const failures: readonly (readonly [name: string, error: AppError])[] = [
  ['the token is refused', new AppError('codehost_relink_needed')],
  ['the account may not', new AppError('codehost_forbidden')],
  ['it is gone or hidden', new AppError('codehost_not_found')],
  ['the request is refused', new AppError('codehost_refused')],
  ['the host asks for time', new AppError('codehost_busy', { retryAfterMs: ASKED_MS })],
  ['the host is away', new AppError('codehost_unavailable', { retryAfterMs: 1 })],
];

describe('publishing to a code host', () => {
  let world: World;
  let outside: ReturnType<typeof publishingHost>;
  beforeEach(async () => {
    world = await openWorld();
    outside = publishingHost();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const start = () =>
    world.startWorker({
      deps: {
        codehost: outside.host,
        codehostTokens: outside.tokens,
        workspaces: outside.withPush(world.host.workspaces),
      },
    });

  const newIssue = (more: Partial<NewIssue> = {}, settings: object = {}) => importedIssue(world, { more, settings });

  /** Approves the plan as its owner, which `world.decide` is not here. */
  async function approve({ id }: Issue): Promise<void> {
    await world.decideAsSeen(await world.untilStatus(id, 'awaiting_approval'), { action: 'approve' });
  }

  async function ended({ id }: Issue): Promise<Issue> {
    await until('it has ended', async () => (await world.get(id)).finishedAt !== null);
    return world.get(id);
  }

  it('opens one draft from the pushed branch, records its number, and comments on the imported issue', async () => {
    await start();
    const issue = await newIssue();
    await approve(issue);
    const done = await ended(issue);
    expect(outside.calls).toEqual(outboundCalls);
    const [made, ...more] = outside.changes;
    expect(more).toEqual([]);
    expect(made).toMatchObject({
      headBranch: done.result?.branch,
      baseBranch: 'main',
      state: 'draft',
      title: issue.title,
    });
    expect(made?.body).toContain(`Closes #${NUMBER}`);
    expect(made?.body).toContain(`/issues/${issue.id})`);
    expect(done).toMatchObject({
      status: 'completed',
      changeRequest: { number: made?.number, state: 'draft' },
      result: { change_request_url: made?.url },
      pipeline: { publication: { head_commit: done.result?.head_commit, change_request: { number: made?.number } } },
    });
    expect(outside.comments).toMatchObject([{ number: NUMBER, body: expect.stringContaining(`#${made?.number}`) }]);
  });

  it('opens one that is ready where the repository is set so, and none for a repository of plain git', async () => {
    await start();
    const ready = await newIssue({}, { draft_change_request: false });
    await approve(ready);
    expect((await ended(ready)).changeRequest?.state).toBe('open');
    outside.calls.length = 0;
    const plain = await world.newIssue();
    await approve(plain);
    expect((await ended(plain)).result?.change_request_url).toBeNull();
    expect(outside.calls).toEqual(['push']);
  });

  it('notes that it is ready for review where the code host has no drafts', async () => {
    outside.has.drafts = false;
    await start();
    const issue = await newIssue();
    await approve(issue);
    expect((await ended(issue)).changeRequest?.state).toBe('open');
    expect(await world.said(issue.id)).toContain(
      'The pull request is not a draft: the code host has no drafts in this repository.',
    );
  });

  it.each(['merged', 'closed'] as const)(
    'opens no second one where the first was %s before it was known',
    async (state) => {
      await start();
      outside.meets({ call: 'openChangeRequest', moment: 'after', error: new AppError('codehost_relink_needed') });
      const issue = await newIssue();
      await approve(issue);
      const failed = await ended(issue);
      const [made] = outside.changes;
      if (made === undefined) throw new Error('nothing was opened');
      outside.changes[0] = { ...made, state, headCommit: failed.pipeline.publication?.head_commit ?? '' };
      await world.retryAsSeen(failed);
      const done = await world.untilStatus(issue.id, 'completed');
      expect(outside.changes).toHaveLength(1);
      expect(done.changeRequest).toEqual({ number: made.number, state });
    },
  );

  it('adds a follow-up to the pull request of its branch and answers there, and opens another when that one is closed', async () => {
    await start();
    const first = await newIssue();
    await approve(first);
    const { result, repoId, userId, changeRequest } = await ended(first);
    const branch = result?.branch ?? '';
    const follow = async () => {
      world.host.remote.clear(); // the remote of this world knows no commit on top of another
      const made = await world.issues.create(
        aNewIssue({ userId, repoId, origin: 'follow_up', parentIssueId: first.id, baseBranch: branch, branch }),
        { queue: true },
      );
      if (made.kind !== 'applied') throw new Error(made.kind);
      await approve(made.issue);
      return ended(made.issue);
    };
    expect((await follow()).changeRequest?.number).toBe(changeRequest?.number);
    expect(outside.changes).toHaveLength(1);
    expect(outside.comments.map(({ number }) => number)).toEqual([NUMBER, changeRequest?.number]);

    const [closed] = outside.changes;
    if (closed !== undefined) outside.changes[0] = { ...closed, state: 'merged' };
    expect((await follow()).changeRequest?.number).not.toBe(changeRequest?.number);
    expect(outside.changes.map(({ baseBranch, headBranch }) => [headBranch, baseBranch])).toEqual([
      [branch, 'main'],
      [branch, 'main'],
    ]);
  });

  it('tells when the next attempt starts, and how many are left, when the host asks for time', async () => {
    await start();
    const error = new AppError('codehost_busy', { retryAfterMs: ASKED_MS });
    outside.meets({ call: 'openChangeRequest', moment: 'before', error });
    const issue = await newIssue();
    await approve(issue);
    await ended(issue);
    const told = (await world.events(issue.id)).find((event) => event.type === 'stage.failed');
    expect(told?.data).toMatchObject({
      stage: 'publish',
      will_retry: true,
      detail: expect.stringMatching(/wait before the next request\.$/),
      retry: { at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), failures: 1, max_failures: 10 },
    });
  });

  /** The target of a comment may be closed or gone; the pull request is what matters. */
  const endsWell = (call: OutboundCall, code: ErrorCode) =>
    new AppError(code).retry || (call === 'putComment' && code !== 'codehost_relink_needed');

  const matrix = outboundCalls.flatMap((call) =>
    failures.flatMap(([name, error]) =>
      (['before', 'after'] as const).map((moment) => ({ call, name, moment, error })),
    ),
  );

  it.each(matrix)('does nothing twice when at $call, $moment its work, $name', async ({ call, moment, error }) => {
    await start();
    outside.meets({ call, moment, error });
    const issue = await newIssue();
    await approve(issue);
    const first = await ended(issue);
    expect(first.status).toBe(endsWell(call, error.code) ? 'completed' : 'failed');
    if (first.error !== null) {
      expect(first.error).toMatchObject({ stage: 'publish', detail: error.message });
      await world.retryAsSeen(first);
      await world.untilStatus(issue.id, 'completed');
    }
    const done = await world.get(issue.id);
    expect(outside.changes.map(({ headBranch }) => headBranch)).toEqual([done.result?.branch]);
    expect([...world.host.remote.keys()]).toEqual([done.result?.branch]);
    expect(done.changeRequest?.number).toBe(outside.changes[0]?.number);
    const isWithoutComment = call === 'putComment' && moment === 'before' && first.error === null && !error.retry;
    expect(outside.comments).toHaveLength(isWithoutComment ? 0 : 1);
    if (isWithoutComment) {
      expect(await world.said(issue.id)).toContain(`Could not comment on #${NUMBER}: ${error.message}`);
    }
    expect((await world.story(issue.id)).filter((line) => line === 'result.published')).toHaveLength(1);
  });
});
