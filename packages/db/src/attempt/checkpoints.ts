import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Checkpoint, CheckpointKind, IssueId, RunStore } from '@sluice/core';
import { and, eq } from 'drizzle-orm';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { holdIssue } from './fence.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** A checkpoint with its patch compressed, as it is stored. */
type PackedCheckpoint = Checkpoint;

/** Checkpoints from which any host can continue an issue. */
export function createCheckpoints(context: StoreContext): Pick<RunStore, 'saveCheckpoint' | 'checkpoint'> {
  const { read, tables } = context.database;
  const { checkpoints } = tables;
  return {
    saveCheckpoint: async (lease, kind, checkpoint) => {
      const packed = await packCheckpoint(checkpoint);
      return await write(context, async (write) => {
        const issue = await holdIssue(write, lease);
        if (issue === null) return false;
        writeCheckpoint(write, issue.id, { kind, packed });
        return true;
      });
    },

    checkpoint: async (issueId, kind) => {
      const [row] = await read
        .select({ commit: checkpoints.commit, object: checkpoints.object, patch: checkpoints.patch })
        .from(checkpoints)
        .where(and(eq(checkpoints.issueId, issueId), eq(checkpoints.kind, kind)));
      return row === undefined ? null : { ...row, patch: await decompress(row.patch) };
    },
  };
}

/** Compresses before the transaction, because inside one only queries may be awaited. */
export async function packCheckpoint({ commit, object, patch }: Checkpoint): Promise<PackedCheckpoint> {
  return { commit, object, patch: await compress(patch) };
}

/** Replaces the checkpoint of that kind. The caller holds the issue. */
export function writeCheckpoint(
  write: Write,
  issueId: IssueId,
  { kind, packed }: { kind: CheckpointKind; packed: PackedCheckpoint },
): void {
  const { checkpoints } = write.context.database.tables;
  const kept = { ...packed, updatedAt: write.now };
  write.atEnd(() =>
    write.db
      .insert(checkpoints)
      .values({ issueId, kind, ...kept })
      .onConflictDoUpdate({ target: [checkpoints.issueId, checkpoints.kind], set: kept }),
  );
}

/** Deletes the checkpoints of an issue that has ended for the last time. */
export function dropCheckpoints(write: Write, issueId: IssueId): void {
  const { checkpoints } = write.context.database.tables;
  write.atEnd(() => write.db.delete(checkpoints).where(eq(checkpoints.issueId, issueId)));
}
