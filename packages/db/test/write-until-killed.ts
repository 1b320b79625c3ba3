// A process that writes as fast as it can and says of each write, once it was acknowledged, what it was.
import { writeSync } from 'node:fs';
import { argv } from 'node:process';
import { aNewIssue, aNewRepo, aNewUser, settableClock } from '@sluice/testing';
import { openSqlite } from '../src/index.ts';

/** One acknowledged write: an issue has events up to this number. */
export interface Acknowledged {
  readonly issueId: string;
  readonly seq: number;
}

const acknowledge = (written: Acknowledged) => writeSync(1, `${JSON.stringify(written)}\n`);

const stores = await openSqlite({ dataDir: argv[2] ?? '', clock: settableClock(), maxActivePipelines: 2 });
const registered = await stores.users.create(aNewUser());
if (registered.kind !== 'created') throw new Error(registered.kind);
const userId = registered.user.id;

async function workOnOne(): Promise<void> {
  const repo = aNewRepo({ userId });
  await stores.repos.create(repo);
  const created = await stores.issues.create(aNewIssue({ userId, repoId: repo.id }), { queue: true });
  if (created.kind !== 'applied') throw new Error(created.kind);
  const { id: issueId, lastSeq } = created.issue;
  acknowledge({ issueId, seq: lastSeq });
  const claim = await stores.runs.claim(issueId, { owner: 'writer', ttlMs: 60_000 });
  if (claim === null) return; // it waits in the queue behind those of an earlier process
  let seq = lastSeq;
  for (let count = 0; count < 5; count += 1) {
    await stores.runs.appendJournal(
      claim.lease,
      { stage: 'implement', round: 1 },
      {
        entries: [{ kind: 'begin', callId: `${count}` }],
        events: [{ type: 'user.message', data: { text: `message ${count}` } }],
      },
    );
    seq += 1;
    acknowledge({ issueId, seq });
  }
  const ended = await stores.issues.apply({ issueId, from: { status: 'running' }, trigger: 'cancelled', events: [] });
  if (ended.kind !== 'applied') throw new Error(ended.kind);
  acknowledge({ issueId, seq: ended.issue.lastSeq });
}

for (;;) await Promise.all([workOnOne(), workOnOne(), workOnOne()]);
