import type { IssueEvent } from '@sluice/client';
import { hasEnded } from '../format/has-ended.ts';

/** One run of a command, as its events tell it. */
export interface CommandRun {
  /** The number of its `command.started`. */
  readonly seq: number;
  readonly command: string;
  readonly at: string;
  /** Null while it runs. */
  readonly end: { readonly at: string; readonly exitCode: number | null; readonly durationMs: number } | null;
}

interface WrittenPiece {
  readonly command: string;
  readonly at: string;
}

/** The runs of commands in the order in which they began. */
export interface CommandRuns {
  readonly runs: readonly CommandRun[];
  take(event: IssueEvent): void;
  /** The run that wrote a piece of the log that names none: the latest one of its command that was running then. */
  find(piece: WrittenPiece): CommandRun | null;
}

export function createCommandRuns(): CommandRuns {
  const runs: CommandRun[] = [];
  function end(index: number, at: string, how?: { exitCode: number | null; durationMs: number }): void {
    const run = runs[index];
    if (run === undefined) return;
    const unknown = { exitCode: null, durationMs: Math.max(0, Date.parse(at) - Date.parse(run.at)) };
    runs[index] = { ...run, end: { at, ...(how ?? unknown) } };
  }
  function cutOff(at: string): void {
    for (const [index, run] of runs.entries()) if (run.end === null) end(index, at);
  }
  return {
    runs,
    take(event) {
      if (event.type === 'command.started')
        runs.push({ seq: event.seq, command: event.data.command, at: event.at, end: null });
      // What still ran when its stage ended was cut off, by a restart or a cancel: no event says so.
      else if (event.type.startsWith('stage.') || isEnd(event)) cutOff(event.at);
      else if (event.type === 'command.finished') {
        const { command, exit_code, duration_ms } = event.data;
        const index = runs.findIndex((run) => run.command === command && run.end === null);
        end(index, event.at, { exitCode: exit_code, durationMs: duration_ms });
      }
    },
    // Both times are the database's, written in the same form: they compare as text.
    find: ({ command, at }) =>
      runs.findLast((run) => run.command === command && run.at <= at && (run.end === null || at <= run.end.at)) ?? null,
  };
}

function isEnd(event: IssueEvent): boolean {
  return event.type === 'issue.status' && hasEnded(event.data.to);
}
