import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesIn } from './lines-in.ts';
import { type TrialRecord, trialRecord } from './trial-record.ts';

/** Which trial of a run. */
type TrialKey = Pick<TrialRecord, 'task' | 'agent' | 'run'>;

/** The trials of a run that are done. */
export interface TrialLedger {
  /** The last record of each trial, in the order in which they were first made. */
  records(): TrialRecord[];
  has(trial: TrialKey): boolean;
  add(record: TrialRecord): void;
}

/**
 * Opens the ledger of a run's folder. Trials whose surroundings failed are not in it, so that they are tried again.
 *
 * @param planned the trials of the run: no other record counts
 * @throws UsageError when a record cannot be read
 */
export function openLedger(folder: string, planned: readonly TrialKey[]): TrialLedger {
  const file = join(folder, 'trials.jsonl');
  const keyOf = ({ task, agent, run }: TrialKey) => `${task} ${agent} ${run}`;
  const own = new Set(planned.map(keyOf));
  const earlier = linesIn(file, trialRecord).filter((record) => own.has(keyOf(record)));
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
