import type { IssueEvent } from '@sluice/client';

/** One run of a command, as its events tell it. */
export interface CommandRun {
  /** The number of its `command.started`. */
  readonly seq: number;
  readonly command: string;
  readonly at: string;
  /** Null while it runs. */
  readonly end: { readonly at: string; readonly exitCode: number | null; readonly durationMs: number } | null;
}

interface LogPiece {
  readonly command: string;
  readonly at: string;
}

/** The runs of commands in the order in which they began. */
export interface CommandRuns {
  readonly runs: readonly CommandRun[];
  take(event: IssueEvent): void;
  /** The run that wrote a piece of the log: the latest one of its command that was running then. */
  find(piece: LogPiece): CommandRun | null;
}

export function createCommandRuns(): CommandRuns {
  const runs: CommandRun[] = [];
  return {
    runs,
    take(event) {
      if (event.type === 'command.started')
        runs.push({ seq: event.seq, command: event.data.command, at: event.at, end: null });
      if (event.type !== 'command.finished') return;
      const { command, exit_code, duration_ms } = event.data;
      const index = runs.findIndex((run) => run.command === command && run.end === null);
      const run = runs[index];
      if (run === undefined) return;
      runs[index] = { ...run, end: { at: event.at, exitCode: exit_code, durationMs: duration_ms } };
    },
    // Both times are the database's, written in the same form: they compare as text.
    find: ({ command, at }) =>
      runs.findLast((run) => run.command === command && run.at <= at && (run.end === null || at <= run.end.at)) ?? null,
  };
}
