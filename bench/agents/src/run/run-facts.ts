import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readJson } from '../usage/read-json.ts';
import { UsageError } from '../usage/usage-error.ts';

/** What must be the same for all that a run's folder holds. */
const runFacts = z.object({
  /** The commit of Sluice, and whether its tree had changes. */
  commit: z.string(),
  is_modified: z.boolean(),
  /** The configured name; null when no agent asks a model. */
  model: z.string().nullable(),
  /** In the order of their names. */
  agents: z.array(z.string()),
  /** By agent: a hash over all that it tells a model on its own. */
  prompt_hashes: z.record(z.string(), z.string().nullable()),
  /** The tasks, by name, each with a hash over its files. */
  inputs: z.record(z.string(), z.string()),
  runs: z.int().min(1),
});
export type RunFacts = z.infer<typeof runFacts>;

const heldRun = runFacts.extend({ started_at: z.iso.datetime() });

/**
 * Begins a run in a folder that is new, or goes on with the one that the folder holds.
 *
 * @returns when the run was begun: it tells runs apart, and stays when one goes on
 * @throws UsageError that says in what the folder's run is another one: results of the two must not be mixed
 */
export function openRun(folder: string, facts: RunFacts): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'run.json');
  if (!existsSync(file)) {
    const begun = { started_at: new Date().toISOString(), ...facts };
    writeFileSync(file, `${JSON.stringify(begun, null, 2)}\n`);
    return begun.started_at;
  }
  const held = readJson(file, heldRun);
  const differences = differencesOf(held, facts);
  if (differences.length === 0) return held.started_at;
  const list = differences.map((difference) => `  - ${difference}`).join('\n');
  throw new UsageError(`${folder} holds another run than this one:\n${list}\nRepeat that one, or give another --out.`);
}

/** The names of the tasks of the run that a folder holds; null when it holds none. @throws UsageError when it cannot be read */
export function heldTasks(folder: string): ReadonlySet<string> | null {
  const file = join(folder, 'run.json');
  return existsSync(file) ? new Set(Object.keys(readJson(file, heldRun).inputs)) : null;
}

function differencesOf(held: RunFacts, now: RunFacts): string[] {
  const changed = (what: string, of: (facts: RunFacts) => string) =>
    of(held) === of(now) ? [] : [`${what}: ${of(held)} there, ${of(now)} here`];
  return [
    ...changed('the model', ({ model }) => model ?? 'none'),
    ...changed('the commit of Sluice', ({ commit }) => commit.slice(0, 12)),
    ...changed('changes to Sluice that are not committed', ({ is_modified }) => (is_modified ? 'some' : 'none')),
    ...changed('the agents', ({ agents }) => agents.join(', ')),
    ...changed('runs of each task', ({ runs }) => String(runs)),
    ...changedKeys(held.prompt_hashes, now.prompt_hashes).map((name) => `the prompts of ${name}`),
    ...changedKeys(held.inputs, now.inputs).map((name) => {
      if (now.inputs[name] === undefined) return `${name} is missing here`;
      return held.inputs[name] === undefined ? `${name} is missing there` : `${name} has changed`;
    }),
  ];
}

type Hashes = Readonly<Record<string, string | null>>;

function changedKeys(held: Hashes, now: Hashes): string[] {
  return Object.keys({ ...held, ...now }).filter((name) => held[name] !== now[name]);
}
