import type { ServerResponse } from 'node:http';

/** What the log says of a request beside its head and its status. */
export interface LogNotes {
  /** The user of its session. */
  readonly user_id?: string;
  /** The code of the error that it was refused with. */
  readonly refused?: string;
}

const notes = new WeakMap<ServerResponse, LogNotes>();

/** Adds to what the log says of a request when it is over. */
export function noteInLog(res: ServerResponse, noted: LogNotes): void {
  notes.set(res, { ...notes.get(res), ...noted });
}

export function logNotesOf(res: ServerResponse): LogNotes {
  return notes.get(res) ?? {};
}
