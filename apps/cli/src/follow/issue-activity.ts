import { type IssueEvent, isOpenForDecision, isPending, isTerminal, type LiveEvent } from '@sluice/core/issue';

/** The current work of an issue, read from its events. Times are milliseconds since the epoch. */
export interface IssueActivity {
  readonly doing:
    | { readonly kind: 'nothing' }
    | {
        readonly kind: 'queued';
        /** Whether it waits for another issue on its repository, and not yet for a slot. */
        readonly forRepo: boolean;
        readonly position: number | null;
        readonly since: number;
      }
    | { readonly kind: 'gate'; readonly since: number }
    | { readonly kind: 'stage'; readonly stage: string; readonly attempt: number; readonly since: number }
    | {
        readonly kind: 'retry';
        readonly stage: string;
        readonly since: number;
        readonly next: { readonly at: number; readonly failures: number; readonly max: number } | null;
      };
  /** The time that stages have taken so far, without the one that runs. */
  readonly workedMs: number;
  /** The command that runs. */
  readonly command: { readonly text: string; readonly since: number } | null;
  /** The end of what a model or a command is writing, as it was received. */
  readonly tail: string;
}

export const noActivity: IssueActivity = { doing: { kind: 'nothing' }, workedMs: 0, command: null, tail: '' };

const TAIL_LENGTH = 4_096; // enough for the few lines that are shown

/** The activity after `event`. The times are the server's. */
export function followActivity(activity: IssueActivity, event: IssueEvent | LiveEvent): IssueActivity {
  const at = Date.parse(event.at);
  switch (event.type) {
    case 'issue.created': {
      const { waits_for_repo, queued_at, queue_position: position } = event.data.issue;
      if (queued_at === null && !waits_for_repo) return activity; // imported, and not run yet
      return { ...activity, doing: { kind: 'queued', forRepo: waits_for_repo, position, since: at } };
    }
    case 'issue.status':
      return afterStatus(activity, event.data, at);
    case 'stage.started': {
      const { stage, attempt } = event.data;
      return { ...activity, doing: { kind: 'stage', stage, attempt, since: at }, ...SILENT };
    }
    case 'stage.completed':
      return { ...idle(activity), workedMs: activity.workedMs + event.data.duration_ms };
    case 'stage.failed': {
      const { stage, duration_ms, will_retry, retry } = event.data;
      const workedMs = activity.workedMs + duration_ms;
      if (!will_retry) return { ...idle(activity), workedMs };
      const next =
        retry === undefined ? null : { at: Date.parse(retry.at), failures: retry.failures, max: retry.max_failures };
      return { doing: { kind: 'retry', stage, since: at, next }, workedMs, ...SILENT };
    }
    case 'command.started':
      return { ...activity, command: { text: event.data.command, since: at }, tail: '' };
    case 'command.output':
    case 'agent.delta':
      return { ...activity, tail: (activity.tail + event.data.text).slice(-TAIL_LENGTH) };
    case 'command.finished':
      return { ...activity, ...SILENT };
    case 'agent.message':
    case 'agent.tool_call':
      return { ...activity, tail: '' };
    default:
      return activity;
  }
}

const SILENT = { command: null, tail: '' } as const;

function idle(activity: IssueActivity): IssueActivity {
  return { ...activity, doing: { kind: 'nothing' }, ...SILENT };
}

function afterStatus(
  activity: IssueActivity,
  { to, queue_position, detail }: Extract<IssueEvent, { type: 'issue.status' }>['data'],
  at: number,
): IssueActivity {
  if (isTerminal(to)) return idle(activity);
  if (isOpenForDecision(to)) return { ...activity, doing: { kind: 'gate', since: at }, ...SILENT };
  if (!isPending(to)) return activity.doing.kind === 'stage' ? activity : idle(activity);
  const since = activity.doing.kind === 'queued' ? activity.doing.since : at;
  const forRepo = queue_position === null && detail !== undefined; // the detail says so; a slot has positions
  return { ...activity, doing: { kind: 'queued', forRepo, position: queue_position, since }, ...SILENT };
}
