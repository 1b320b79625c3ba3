import * as z from 'zod';

/** One agent's work on one task, once, as `result.json` keeps it. */
export const trialRecord = z.object({
  task: z.string(),
  agent: z.string(),
  /** From 1. */
  run: z.int().min(1),
  /** `infrastructure`: the surroundings failed, and the trial counts for nothing. */
  outcome: z.enum(['solved', 'unsolved', 'infrastructure']),
  /** How the agent ended: `done`, `gave_up`, `timeout`, or `error` for an exception; or `infrastructure`. */
  ended: z.string(),
  detail: z.string(),
  tests: z.string(),
  duration_ms: z.int(),
  turns: z.int(),
  input_tokens: z.int(),
  cached_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number().nullable(),
  /** The folder of the trajectory, from that of the run. */
  folder: z.string(),
});
export type TrialRecord = z.infer<typeof trialRecord>;

/** What a run of the bench found, with what has to be known to believe it. */
export const benchResult = z.object({
  schema: z.literal(1),
  /** When the run was begun. It stays the same when the run goes on. */
  started_at: z.iso.datetime(),
  made_at: z.iso.datetime(),
  /** The commit of Sluice, and whether its tree had changes. */
  commit: z.string(),
  is_modified: z.boolean(),
  model: z.string().nullable(),
  /** Up to which day the model's training data goes, as its vendor says; null when not given. */
  model_cut_off: z.iso.date().nullable(),
  /** By agent: a hash over all that it tells a model on its own. */
  prompt_hashes: z.record(z.string(), z.string().nullable()),
  runs: z.int().min(1),
  resources: z.object({
    cpus: z.int(),
    memory_bytes: z.int(),
    platform: z.string(),
    node: z.string(),
    at_once: z.int(),
  }),
  tasks: z.array(
    z.object({
      id: z.string(),
      repository: z.string(),
      base_commit: z.string(),
      date: z.iso.date(),
      language: z.string(),
    }),
  ),
  trials: z.array(trialRecord),
  /** Why the run measures nothing; empty when it does. */
  invalid_because: z.array(z.string()),
});
export type BenchResult = z.infer<typeof benchResult>;
