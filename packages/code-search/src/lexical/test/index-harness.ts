import { join } from 'node:path';
import type { Clock } from '@sluice/core/async';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { createCodeIndex } from '../create-code-index.ts';
import type { LexicalIndex } from '../lexical-index.ts';
import { scratchFolder } from './scratch-repo.ts';

/** A place that an index is kept in, opened as often as a test wants. */
export interface IndexHarness extends AsyncDisposable {
  /** What `update-forever.ts` opens the same index by. */
  readonly place: string;
  open(parser?: URL): LexicalIndex;
  /** The stored rows, searchable or not; fails when the place is damaged. */
  rows(): Promise<{ readonly blobs: number; readonly chunks: number; readonly words: number }>;
  /** Comes back when nothing of a process that was killed goes on there. */
  deserted(): Promise<void>;
  /** The commit of the only repository that is searched now. */
  commit(): Promise<string | null>;
}

export type OpenIndexes = () => Promise<IndexHarness>;

export const indexClock: Clock = { now: () => new Date('2026-11-20T09:15:00.000Z') };

export const sqliteIndexes: OpenIndexes = async () => {
  const data = scratchFolder();
  const place = join(data.path, 'code-index.db');
  const looked = <T>(look: (db: Database.Database) => T): T => {
    const db = new Database(place);
    try {
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      return look(db);
    } finally {
      db.close();
    }
  };
  return {
    place,
    open: (parser) =>
      createCodeIndex({
        file: place,
        clock: indexClock,
        onRebuilt: (reason) => expect.unreachable(reason),
        ...(parser === undefined ? {} : { parser }),
      }),
    rows: async () =>
      looked((db) => {
        const count = (table: string) => Number(db.prepare(`select count(*) from ${table}`).pluck().get());
        db.exec("insert into words_1 (words_1) values ('integrity-check')");
        return { blobs: count('blobs'), chunks: count('chunks'), words: count('words_1') };
      }),
    deserted: async () => undefined, // what the process did ended with it
    commit: async () =>
      looked((db) => db.prepare<[], string | null>('select commit_id from repos').pluck().get() ?? null),
    [Symbol.asyncDispose]: async () => data[Symbol.dispose](),
  };
};
