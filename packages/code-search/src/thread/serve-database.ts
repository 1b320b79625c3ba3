import type { MessagePort } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { type DatabaseShape, isDamage, openDerivedDatabase, rebuildDerivedDatabase } from './derived-database.ts';
import type { ThreadReply } from './thread-reply.ts';
import type { Operations } from './work-thread.ts';

/** Thrown by an answer that needs lost data: the caller has to start over. */
export class DataLost extends Error {
  override readonly name = 'DataLost';
}

/** The answer to each operation, on a database that is open. */
type Answers<O extends Operations> = {
  readonly [Name in Exclude<keyof O, 'close'>]: (db: Database.Database, input: O[Name]['in']) => O[Name]['out'];
};

interface ThreadRequest {
  readonly id: number;
  readonly operation: string;
  readonly input: unknown;
}

export interface ServedDatabase<O extends Operations> {
  readonly file: string;
  readonly shape: DatabaseShape;
  readonly answers: Answers<O>;
  /** Called when the database was rebuilt while it was open. */
  readonly onRebuilt?: () => void;
}

/**
 * Serves a database in the thread that owns its connection. One message is answered after the other, so nothing here
 * needs a lock. The file is opened with the first request, and rebuilt whenever it is found damaged.
 */
export function serveDatabase<O extends Operations>(port: MessagePort, served: ServedDatabase<O>): void {
  const { file, shape } = served;
  const answers = served.answers as Readonly<Record<string, (db: Database.Database, input: unknown) => unknown>>;
  let db: Database.Database | null = null;
  const say = (reply: ThreadReply) => port.postMessage(reply);

  const opened = (): Database.Database => {
    if (db !== null) return db;
    const { db: fresh, rebuilt } = openDerivedDatabase(shape, file);
    db = fresh;
    if (rebuilt !== null) say({ rebuilt });
    return db;
  };
  const answer = ({ operation, input }: ThreadRequest): unknown => {
    if (operation !== 'close') return answers[operation]?.(opened(), input);
    db?.close();
    db = null;
    return null;
  };
  const failed = (id: number, error: unknown): ThreadReply => {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof DataLost) return { id, failure: 'lost', reason };
    if (!isDamage(error)) return { id, failure: 'failed', reason };
    db?.close();
    db = rebuildDerivedDatabase(shape, file);
    served.onRebuilt?.();
    say({ rebuilt: reason });
    return { id, failure: 'lost', reason };
  };

  port.on('message', (request: ThreadRequest) => {
    let reply: ThreadReply;
    try {
      reply = { id: request.id, value: answer(request) };
    } catch (error) {
      reply = failed(request.id, error);
    }
    say(reply);
  });
  say({ up: true });
}
