import { callerOf } from '@sluice/core/access';
import type { IssueId } from '@sluice/core/id';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIssueFeed } from '../../src/feed/issue-feed.ts';
import { type Login, type RunningApi, startApi } from '../start-api.ts';

let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  api = await startApi();
  ada = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

/** Follows an issue without a transport, so that the test alone decides when the next event is taken. */
async function follow(id: string, after?: number, { deps = api.deps, gone = new AbortController().signal } = {}) {
  const issue = await api.stores.issues.get(id as IssueId);
  if (issue === null) throw new Error('The issue is gone.');
  const reader = { caller: callerOf(ada.session.userId), session: ada.session, gone, hangUp: () => {} };
  return createIssueFeed(deps)
    .followIssue(issue, after ?? issue.lastSeq, reader)
    [Symbol.asyncIterator]();
}

async function append(id: string, text: string): Promise<void> {
  const issueId = id as IssueId;
  await api.stores.issues.apply({
    issueId,
    from: { status: 'running' },
    trigger: 'stage_advanced',
    events: [{ type: 'agent.message', data: { agent: 'coder', text } }],
  });
}

const sendLive = (id: string, text: string) =>
  api.signals.live({ type: 'agent.delta', issue_id: id, at: new Date().toISOString(), data: { agent: 'coder', text } });

describe('followIssue', () => {
  it('keeps live text before the message it is part of, however late the reader is', async () => {
    const { id } = await api.issue(ada);
    const last = (await api.stores.issues.get(id as IssueId))?.lastSeq ?? 0;
    const events = await follow(id, last - 1);
    await events.next(); // it has joined now, and waits for its reader
    for (const word of ['one', 'two', 'three']) {
      sendLive(id, `${word} …`);
      await append(id, word);
    }
    sendLive(id, 'four …');
    const seen: string[] = [];
    while (seen.length < 7) {
      const { event } = (await events.next()).value ?? {};
      if (event?.type === 'agent.delta' || event?.type === 'agent.message') seen.push(event.data.text);
    }
    expect(seen).toEqual(['one …', 'one', 'two …', 'two', 'three …', 'three', 'four …']);
    await events.return?.();
    expect(api.signals.listenerCount()).toBe(0);
  });

  it('sends an event written between joining and the first read, once', async () => {
    const { id } = await api.issue(ada);
    const { find } = api.deps.sessions;
    // The session is checked after joining and before the first read: the write falls in between.
    const sessions = {
      ...api.deps.sessions,
      find: async (sessionId: Login['sessionId']) => {
        await append(id, 'in between');
        return find(sessionId);
      },
    };
    const last = (await api.stores.issues.get(id as IssueId))?.lastSeq ?? 0;
    const events = await follow(id, last, { deps: { ...api.deps, sessions } });
    const first = await events.next();
    expect(first.value.event).toMatchObject({ seq: last + 1, data: { text: 'in between' } });
    await events.return?.();
  });

  it('begins with a refusal when the session has ended before', async () => {
    const { id } = await api.issue(ada);
    await api.stores.sessions.revoke(ada.sessionId);
    await expect((await follow(id, 0)).next()).rejects.toMatchObject({ code: 'session_missing' });
    expect(api.signals.listenerCount()).toBe(0);
  });

  it('ends quietly when the reader leaves before it begins, and while it waits', async () => {
    const { id } = await api.issue(ada);
    expect(await (await follow(id, 0, { gone: AbortSignal.abort() })).next()).toEqual({ done: true, value: undefined });
    const leaving = new AbortController();
    const last = (await api.stores.issues.get(id as IssueId))?.lastSeq ?? 0;
    const events = await follow(id, last, { gone: leaving.signal });
    const next = events.next();
    leaving.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(api.signals.listenerCount()).toBe(0);
  });

  it('ends when the issue is deleted', async () => {
    const { id } = await api.issue(ada);
    await api.fail(id);
    const last = (await api.stores.issues.get(id as IssueId))?.lastSeq ?? 0;
    const events = await follow(id, last - 1);
    expect((await events.next()).value.event).toMatchObject({ seq: last });
    await api.stores.issues.remove(id as IssueId);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});
