import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readJson } from '../usage/read-json.ts';
import { UsageError } from '../usage/usage-error.ts';
import { linesIn } from './lines-in.ts';
import { type TrialRecord, trialRecord } from './trial-record.ts';

/** What must be the same for all trials of a run. */
const runFacts = z.object({ model: z.string().nullable(), commit: z.string() });
type RunFacts = z.infer<typeof runFacts>;

/** The trials that a run's folder holds. */
export interface TrialLedger {
  /** The last record of each trial, in the order in which they were first made. */
  records(): TrialRecord[];
  has(trial: Pick<TrialRecord, 'task' | 'agent' | 'run'>): boolean;
  add(record: TrialRecord): void;
}

/**
 * Opens the ledger of a folder that is new, or holds a run that was stopped. Trials whose surroundings failed are not in
 * it, so that they are tried again.
 *
 * @throws UsageError when the folder holds a run of another model or commit, whose trials must not be mixed with these
 */
export function openLedger(folder: string, facts: RunFacts): TrialLedger {
  mkdirSync(folder, { recursive: true });
  const [about, file] = [join(folder, 'run.json'), join(folder, 'trials.jsonl')];
  if (existsSync(about)) requireSame(folder, readJson(about, runFacts), facts);
  else writeFileSync(about, `${JSON.stringify(facts)}\n`);
  const keyOf = ({ task, agent, run }: Pick<TrialRecord, 'task' | 'agent' | 'run'>) => `${task} ${agent} ${run}`;
  const earlier = linesIn(file, trialRecord);
  const done = new Map(
    earlier.filter(({ outcome }) => outcome !== 'infrastructure').map((record) => [keyOf(record), record]),
  );
  return {
    records: () => [...done.values()],
    has: (trial) => done.has(keyOf(trial)),
    add(record) {
      appendFileSync(file, `${JSON.stringify(record)}\n`);
      done.set(keyOf(record), record);
    },
  };
}

function requireSame(folder: string, made: RunFacts, facts: RunFacts): void {
  if (made.model !== facts.model)
    throw new UsageError(`${folder} holds a run of ${made.model}, not of ${facts.model}. Give another --out.`);
  if (made.commit !== facts.commit)
    throw new UsageError(
      `${folder} holds a run of the commit ${made.commit.slice(0, 12)}, not of ${facts.commit.slice(0, 12)}. Check that out, or give another --out.`,
    );
}
