import type { IssueEvent } from '@sluice/client';
import type { FeedState } from '../events/issue-feed.ts';
import { toolSubject } from './tool-subject.ts';

export interface LatestActivity {
  /** What an agent or the service does or said last, in one line. */
  readonly text: string;
  /** When anything happened last, in ISO 8601. */
  readonly at: string;
}

const MAX_EVENTS = 200; // a stage begins with an event that has words

/** Reads the latest activity of a feed. The same object until an event is new. */
export function createLatestActivity(): (state: FeedState) => LatestActivity | null {
  let read = { history: 0, count: 0 };
  let latest: LatestActivity | null = null;
  return ({ history, count, events, phase }) => {
    if (phase === 'loading') return null;
    if (history !== read.history || count !== read.count) latest = latestOf(events, count);
    read = { history, count };
    return latest;
  };
}

function latestOf(events: readonly IssueEvent[], count: number): LatestActivity | null {
  const at = events[count - 1]?.at;
  if (at === undefined) return null;
  for (let index = count - 1; index >= Math.max(0, count - MAX_EVENTS); index -= 1) {
    const text = activityOf(events[index] as IssueEvent);
    if (text !== null) return { text, at };
  }
  return null;
}

function activityOf(event: IssueEvent): string | null {
  switch (event.type) {
    case 'agent.tool_call':
      return `${event.data.agent}: ${event.data.tool} ${toolSubject(event.data.input)}`;
    case 'agent.message':
      return `${event.data.agent}: ${firstLine(event.data.text)}`;
    case 'command.started':
      return `$ ${firstLine(event.data.command)}`;
    case 'stage.started':
      return `${event.data.agent} started`;
    default:
      return null;
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
