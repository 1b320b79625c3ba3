import type { IssueId } from '../id/id.ts';
import type { Lease } from '../issue/lease-store.ts';

/** A chunk of a command's output. */
export interface LogChunk {
  readonly command: string;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

export interface LogLine extends LogChunk {
  readonly seq: number;
  readonly at: Date;
}

/** The output of an issue's commands. Writes return false when the lease is lost: nothing was written. */
export interface CommandLogStore {
  appendLog(lease: Lease, chunks: readonly LogChunk[]): Promise<boolean>;
  log(issueId: IssueId, range: { after: number; limit: number }): Promise<readonly LogLine[]>;
}
