import type { IssueId } from '@sluice/core/id';
import type { NewEvent } from '@sluice/core/issue';
import { expect } from 'vitest';
import type { RunningApi } from '../start-api.ts';
import type { OpenStream } from './open-stream.ts';

/** The numbers of the events that a stream has sent. */
export const seqs = (stream: OpenStream) =>
  stream.events().flatMap(({ data }) => (data.seq === undefined ? [] : [data.seq]));
export const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, index) => from + index);

export async function lastSeqOf(api: RunningApi, id: string): Promise<number> {
  return (await api.stores.issues.get(id as IssueId))?.lastSeq ?? 0;
}

/** Appends one event, as a worker does that executes the issue. */
export async function appendTo(api: RunningApi, id: string, text: string): Promise<void> {
  const said: NewEvent = { type: 'agent.message', data: { agent: 'coder', text } };
  const now = await api.stores.issues.get(id as IssueId);
  if (now === null) throw new Error('The issue is gone.');
  const outcome = await api.stores.issues.apply({
    issueId: now.id,
    from: { status: now.status },
    trigger: 'stage_advanced',
    events: [said],
  });
  expect(outcome.kind).toBe('applied');
}
