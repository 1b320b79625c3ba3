import type { JournalEntry, JournalKey } from '@sluice/core/agent';
import { endedBefore } from '@sluice/core/pipeline';
import type { StageContext } from './stage-context.ts';

type Rounds = readonly (readonly JournalEntry[])[];

/**
 * The journals of the earlier rounds whose conversation a round goes on with, oldest first. A round of `implement` goes on
 * with the one before it, unless that one ended in a way that cannot be continued; a round of another stage only when it
 * is the retry of the one before. A journal that opens a conversation of its own ends the search.
 *
 * @param own the round's own journal
 */
export async function earlierRounds(
  stage: StageContext<'runs'>,
  key: JournalKey,
  own: readonly JournalEntry[],
): Promise<Rounds> {
  if (own.length > 0) return await roundsBefore(stage, key, own);
  const ended = endedBefore(stage.execution.issue().pipeline, key);
  if (ended === null ? key.stage !== 'implement' : ended.keeps !== 'conversation') return [];
  const before = await roundsBefore(stage, key, own);
  // An older release does not say how a round ended: the tree of one without a commit was reset, so its conversation is over.
  return ended === null && !isCommitted(before.at(-1) ?? []) ? [] : before;
}

/**
 * The work in the tree since the last commit: the entries of the round, and those of the rounds before it that ended
 * without a commit and whose work was kept, in order.
 */
export async function entriesSinceCommit(
  stage: StageContext<'runs'>,
  key: JournalKey,
): Promise<readonly JournalEntry[]> {
  const own = await stage.deps.runs.journal(stage.execution.issue().id, key);
  const ended = endedBefore(stage.execution.issue().pipeline, key);
  if (ended?.keeps === 'nothing') return own;
  const before = await roundsBefore(stage, key, own);
  // A round that ended without its result was not committed, even where its agent was done.
  const committed = before.slice(0, ended === null ? undefined : -1).findLastIndex(isCommitted);
  return [...before.slice(committed + 1).flat(), ...own];
}

async function roundsBefore(
  { deps, execution }: StageContext<'runs'>,
  key: JournalKey,
  own: readonly JournalEntry[],
): Promise<Rounds> {
  const found: (readonly JournalEntry[])[] = [];
  let later = own;
  for (let round = key.round - 1; round > 0 && !opensConversation(later); round -= 1) {
    const entries = await deps.runs.journal(execution.issue().id, { ...key, round });
    // A round of `implement` that did not begin left the conversation as it was. Before one of `plan` that did not begin is
    // the conversation about another revision.
    if (entries.length === 0 && key.stage !== 'implement') return found;
    if (entries.length === 0) continue;
    found.unshift(entries);
    later = entries;
  }
  return found;
}

/** A conversation begins with its instructions. */
function opensConversation(entries: readonly JournalEntry[]): boolean {
  return entries.some(({ kind, ...entry }) => kind === 'message' && roleOf(entry) === 'system');
}

function roleOf(entry: object): unknown {
  const message: unknown = 'message' in entry ? entry.message : null;
  return typeof message === 'object' && message !== null && 'role' in message ? message.role : null;
}

/** The coder's work was committed, or there was none. */
function isCommitted(entries: readonly JournalEntry[]): boolean {
  const done = entries.findLast((entry) => entry.kind === 'done');
  const output: unknown = done?.kind === 'done' ? done.output : null;
  return typeof output === 'object' && output !== null && 'outcome' in output && output.outcome === 'done';
}
