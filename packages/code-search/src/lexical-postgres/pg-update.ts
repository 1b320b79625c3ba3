import type { Clock } from '@sluice/core/async';
import type { FileChunker } from '../lexical/file-chunker.ts';
import type { IndexConnection } from './index-connection.ts';

/** An update of one repository: its number, its lock's connection, and what it is about to index. */
export interface PgUpdate {
  readonly db: IndexConnection;
  readonly repo: number;
  readonly chunker: FileChunker;
  readonly commit: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}
