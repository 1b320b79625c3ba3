import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { CheckpointKind, RunStore } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import type { Checkpoint } from '@sluice/core/workspace';
import { and, eq } from 'drizzle-orm';
import { excluded } from '../store/excluded.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { holdIssue } from './fence.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** A checkpoint with its patch compressed, as it is stored. */
type PackedCheckpoint = Checkpoint;

interface Place {
  readonly issueId: IssueId;
  readonly kind: CheckpointKind;
}

const selectCheckpoint = prepared(({ context, db }, given: Given<Place>) => {
  const { checkpoints } = context.database.tables;
  const isOfIssue = eq(checkpoints.issueId, given('issueId', checkpoints.issueId));
  return db
    .select({ commit: checkpoints.commit, object: checkpoints.object, patch: checkpoints.patch })
    .from(checkpoints)
    .where(and(isOfIssue, eq(checkpoints.kind, given('kind', checkpoints.kind))));
});

const putCheckpoint = prepared(({ context, db }, given: Given<Place & PackedCheckpoint & { updatedAt: Date }>) => {
  const { checkpoints } = context.database.tables;
  const { issueId, kind, commit, object, patch, updatedAt } = checkpoints;
  return db
    .insert(checkpoints)
    .values({
      issueId: given('issueId', issueId),
      kind: given('kind', kind),
      commit: given('commit', commit),
      object: given('object', object),
      patch: given('patch', patch),
      updatedAt: given('updatedAt', updatedAt),
    })
    .onConflictDoUpdate({ target: [issueId, kind], set: excluded({ commit, object, patch, updatedAt }) });
});

const deleteCheckpoints = prepared(({ context, db }, given: Given<{ issueId: IssueId }>) => {
  const { checkpoints } = context.database.tables;
  return db.delete(checkpoints).where(eq(checkpoints.issueId, given('issueId', checkpoints.issueId)));
});

/** Checkpoints from which any host can continue an issue. */
export function createCheckpoints(context: StoreContext): Pick<RunStore, 'saveCheckpoint' | 'checkpoint'> {
  const reading = { context, db: context.database.read };
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
      const [row] = await selectCheckpoint(reading, { issueId, kind });
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
  write.atEnd(() => putCheckpoint(write, { issueId, kind, ...packed, updatedAt: write.now }));
}

/** Deletes the checkpoints of an issue that has ended for the last time. */
export function dropCheckpoints(write: Write, issueId: IssueId): void {
  write.atEnd(() => deleteCheckpoints(write, { issueId }));
}
