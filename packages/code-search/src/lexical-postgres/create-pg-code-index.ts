import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, createKeyedMutex } from '@sluice/core/async';
import type { RepoId } from '@sluice/core/id';
import type { RepoIndex } from '@sluice/core/repo';
import type { Workspace } from '@sluice/core/workspace';
import { createFileChunker } from '../lexical/file-chunker.ts';
import { PAGE_CHUNKS } from '../lexical/index-protocol.ts';
import { indexSnapshot } from '../lexical/index-snapshot.ts';
import type { LexicalChunk, LexicalIndex } from '../lexical/lexical-index.ts';
import { chunkPage, chunksById } from './chunk-pages.ts';
import type { IndexConnection } from './index-connection.ts';
import { type ConnectionOptions, createIndexConnections } from './index-connections.ts';
import { dropRepo, findRepo, openRepo } from './indexed-repo.ts';
import { searchChunks } from './search-chunks.ts';
import { snapshotSteps } from './snapshot-steps.ts';

export interface PgCodeIndexOptions extends ConnectionOptions {
  readonly clock: Clock;
  /** The code of the parsing thread, where it is not our own. */
  readonly parser?: URL;
}

/**
 * The code index in Postgres: what one process has indexed all of them search. Its tables are derived data in a schema of
 * their own, made by the first call. Files are cut, and their words counted, in a thread. Updates of one repository
 * take turns, whichever process makes them; searches see the last finished one. All calls reject with AppError
 * `not_ready` when Postgres cannot be reached or does not answer in time, and with `shutting_down` after `close`.
 */
export function createPgCodeIndex(options: PgCodeIndexOptions): LexicalIndex {
  const connections = createIndexConnections(options);
  const chunker = createFileChunker({ script: options.parser });
  const updates = createKeyedMutex();

  const update = async (db: IndexConnection, workspace: Workspace, signal: AbortSignal): Promise<RepoIndex> => {
    const { repoId, baseCommit: commit } = workspace;
    await lockRepo(db, repoId, signal);
    const known = await findRepo(db, repoId);
    if (known?.index?.commit === commit) return known.index; // somebody else made it meanwhile
    const repo = await openRepo(db, repoId);
    const steps = snapshotSteps({ db, repo, chunker, commit, signal, clock: options.clock });
    return indexSnapshot({ steps, chunker }, workspace, signal);
  };

  return {
    async update(workspace, signal) {
      const updated = async () => {
        const known = await connections.read((db) => findRepo(db, workspace.repoId), signal);
        if (known?.index?.commit === workspace.baseCommit) return known.index;
        return connections.write((db) => update(db, workspace, signal), signal);
      };
      return { index: await updates.run(workspace.repoId, updated, signal), notes: [] };
    },
    async search(repo, question, signal) {
      signal.throwIfAborted();
      return connections.read((db) => searchChunks(db, repo, question), signal);
    },
    chunks: (repo, after, limit) => connections.read((db) => chunkPage(db, repo, { after, limit })),
    async chunksById(repo: RepoId, ids) {
      const found: LexicalChunk[] = [];
      for (let at = 0; at < ids.length; at += PAGE_CHUNKS) {
        const some = ids.slice(at, at + PAGE_CHUNKS);
        found.push(...(await connections.read((db) => chunksById(db, repo, some))));
      }
      return found;
    },
    drop: (repo) =>
      updates.run(repo, () => {
        const { signal } = new AbortController();
        return connections.write(async (db) => {
          await lockRepo(db, repo, signal);
          await dropRepo(db, repo);
        }, signal);
      }),
    outline: (file) => chunker.outline(file),
    syntaxFaults: (file) => chunker.syntaxFaults(file),
    async close() {
      await Promise.all([connections.close(), chunker.close()]);
    },
  };
}

const ASK_AGAIN_MS = 200;

/** How long a connection may stand still between two steps of an update: parsing takes seconds, git rarely a minute. */
const SILENCE = '10min';

/**
 * Waits until no other process updates this repository's index, and keeps others out until the connection closes. Asked for
 * again and again, not waited for: so a cancelled update leaves the line at once, and nothing waits inside Postgres.
 *
 * @throws the signal's reason
 */
async function lockRepo(db: IndexConnection, repo: string, signal: AbortSignal): Promise<void> {
  // A process that was stopped in its tracks loses the lock. Postgres knows this setting since version 14.
  await db.query(`select set_config(name, '${SILENCE}', false) from pg_settings where name = 'idle_session_timeout'`);
  for (;;) {
    const [answer] = await db.query<{ locked: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('sluice code index ' || $1, 0)) as locked`,
      [repo],
    );
    if (answer?.locked === true) return;
    await pause(ASK_AGAIN_MS, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  }
}
