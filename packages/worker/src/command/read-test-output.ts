import type { JournalKey, ReadingEntry } from '@sluice/core/agent';
import type { UnreadReason } from '@sluice/core/pipeline';
import type { TestOutput } from '@sluice/core/workspace';
import type { StageContext } from '../stage/stage-context.ts';

export type ReadingPorts = 'runs' | 'commands' | 'log';

type ReadingOutcome = Extract<ReadingEntry, { kind: 'reading_ended' }>['outcome'];

/** One death may have any cause, e.g. a power cut. Two at the same point of the same round are caused by the output. */
const MAX_DEATHS = 2;

/** The round of `test` under which the run at the base is journaled; real rounds start at 1. */
const BASE_ROUND = 0;

/** The result of a run whose output was not read. */
export const NOT_READ: TestOutput = { failing: [], passing: null, counts: null };

/**
 * Reads the names and counts of the tests in an output. The journal records the start and the end, so an output that takes
 * too long, or that kills the process, cannot do so repeatedly: it is not read again in that round, and its names stay
 * unknown.
 *
 * @throws the reason of the stage's signal when aborted; ExecutionEnded when the lease was lost
 */
export async function readTestOutput(
  stage: StageContext<ReadingPorts>,
  output: string,
  of: 'base' | 'head',
): Promise<TestOutput & { readonly unread: UnreadReason | null }> {
  const { deps, execution, attempt, signal } = stage;
  if (output.trim() === '') return { ...NOT_READ, unread: null };
  const key: JournalKey = { stage: 'test', round: of === 'base' ? BASE_ROUND : attempt.round };
  const unread = await reasonNotToRead(stage, key);
  if (unread !== null) return { ...NOT_READ, unread };
  await execution.write((lease) =>
    deps.runs.appendJournal(lease, key, { entries: [{ kind: 'reading_begun' }], events: [] }),
  );
  let outcome: ReadingOutcome = 'interrupted';
  try {
    const read = await deps.commands.readTests(output, signal);
    outcome = read === null ? 'given_up' : 'read';
    return read === null ? { ...NOT_READ, unread: 'given_up' } : { ...read, unread: null };
  } finally {
    await writeEnd(stage, key, outcome);
  }
}

async function reasonNotToRead(
  { deps, execution }: StageContext<ReadingPorts>,
  key: JournalKey,
): Promise<UnreadReason | null> {
  const entries = await deps.runs.journal(execution.issue().id, key);
  if (entries.some((entry) => entry.kind === 'reading_ended' && entry.outcome === 'given_up')) return 'given_up';
  const deaths = countOf(entries, 'reading_begun') - countOf(entries, 'reading_ended');
  return deaths >= MAX_DEATHS ? 'process_died' : null;
}

function countOf(entries: readonly { kind: string }[], kind: ReadingEntry['kind']): number {
  return entries.filter((entry) => entry.kind === kind).length;
}

/**
 * Does not use `execution.write`, which refuses to write after the execution has ended: a stop must not look like a death.
 * The store refuses the entry if another worker holds the lease. An end that was not written counts as a death, which is the
 * safe side.
 */
async function writeEnd(
  { deps, execution }: StageContext<ReadingPorts>,
  key: JournalKey,
  outcome: ReadingOutcome,
): Promise<void> {
  const entry: ReadingEntry = { kind: 'reading_ended', outcome };
  await deps.runs.appendJournal(execution.lease, key, { entries: [entry], events: [] }).catch((error: unknown) => {
    deps.log.warn({ err: error, issueId: execution.lease.issueId }, 'could not record that a test output was read');
  });
}
