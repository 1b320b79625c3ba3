import type { JournalEntry, JournalKey } from '@sluice/core/agent';
import { type EndedRound, NEW_PIPELINE } from '@sluice/core/pipeline';
import { expect, it } from 'vitest';
import { earlierRounds } from './earlier-rounds.ts';
import type { StageContext } from './stage-context.ts';

const opened: JournalEntry = { kind: 'message', message: { role: 'system' } };
const committed: JournalEntry = { kind: 'done', output: { outcome: 'done' } };
const blocked: JournalEntry = { kind: 'done', output: { outcome: 'blocked' } };

/** How many entries of earlier rounds a round that has none of its own goes on with. */
async function goesOnWith(key: JournalKey, journals: readonly JournalEntry[][], keeps: EndedRound['keeps'] | null) {
  const ended = keeps === null ? null : { stage: key.stage, round: key.round - 1, reason: 'why', keeps };
  const stage = {
    deps: { runs: { journal: async (_id: string, { round }: JournalKey) => journals[round - 1] ?? [] } },
    execution: { issue: () => ({ id: 'issue', pipeline: { ...NEW_PIPELINE, ended } }) },
  } as unknown as StageContext<'runs'>;
  return (await earlierRounds(stage, key, [])).flat().length;
}

it.each<[string, JournalKey['stage'], JournalEntry[][], EndedRound['keeps'] | null, number]>([
  ['follows a commit', 'implement', [[opened, committed]], null, 2],
  ['follows a round that followed a commit', 'implement', [[opened, committed], [committed]], null, 3],
  ['is the retry of one that keeps its conversation', 'implement', [[opened, blocked]], 'conversation', 2],
  ['is the retry of one that keeps its tree', 'implement', [[opened, blocked]], 'tree', 0],
  ['is the retry of one that an older release ended', 'implement', [[opened, blocked]], null, 0],
  ['is the retry of one that an older release ended in the middle', 'implement', [[opened]], null, 0],
  ['of another stage follows one', 'plan', [[opened, committed]], null, 0],
  ['of another stage is a retry', 'plan', [[opened]], 'conversation', 1],
])('goes on with the conversation of the rounds before, or not, where a round %s', async (...row) => {
  const [, stage, journals, keeps, entries] = row;
  expect(await goesOnWith({ stage, round: journals.length + 1 }, journals, keeps)).toBe(entries);
});
