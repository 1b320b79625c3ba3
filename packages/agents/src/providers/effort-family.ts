import type { Level } from './effort-level.ts';

/** Stands for the level in what a family is sent. */
export const LEVEL = '$level';

/** Stands for the budget of thoughts in what a family is sent, in tokens. */
export const BUDGET = '$budget';

/** The stages in which a model works. */
export type EffortStage = 'triage' | 'plan' | 'implement' | 'review';

export type SentValue = string | number | boolean | null | readonly SentValue[] | SentMembers;

export interface SentMembers {
  readonly [name: string]: SentValue;
}

/** What a family of models is sent so that it thinks, as its vendor documents it. */
export interface EffortFamily {
  /** Its name for people. */
  readonly family: string;
  /** The servers on which this holds, by `effortServer`. */
  readonly servers: readonly string[];
  /** The model's name in small letters. */
  readonly models: RegExp;
  /** In rising order. A switch without levels has the one that it turns on. */
  readonly levels: readonly [Level, ...Level[]];
  /** The level of each stage by default. */
  readonly stages: Readonly<Record<EffortStage, Level>>;
  /** Options of the SDK's package; for a compatible server, members of the body. */
  readonly on: SentMembers;
  /** The same for no thoughts; null where the family always thinks: then its lowest level is sent. */
  readonly off: SentMembers | null;
  /** The longest answer that the model can give, thoughts included; null: unknown, and the server's own limit holds. */
  readonly maxOutputTokens: number | null;
  /** The thoughts do not come back in full, so that what arrives does not tell how long they are. */
  readonly hidesThoughts?: true;
  /** The model takes no temperature while it thinks, but one without. */
  readonly temperatureOrThoughts?: true;
  /** The budget of `thinking_tokens` is taken as it is; else it becomes the nearest level. */
  readonly takesBudget?: true;
  /** The budget is a part of the longest answer, and not on top of it. */
  readonly budgetIsInAnswer?: true;
  /** The largest budget, where that is not all of the longest answer. */
  readonly maxBudgetTokens?: number;
  readonly source: string;
  /** When the source was read. */
  readonly date: string;
}

/** The day on which the sources of the table were read last. */
export const READ = '2026-11-29';

/** The level that vendors call their default for code, or the next one above. */
export const THOROUGH = { triage: 'low', plan: 'high', implement: 'high', review: 'high' } as const;

/** For families whose high level thinks for minutes in each turn of a long stage. */
export const MODERATE = { triage: 'low', plan: 'high', implement: 'medium', review: 'high' } as const;

/**
 * The budget of thoughts at each level. Claude's vendor tells people to begin at the minimum of 1,024 and to ask for 16,000
 * and more for hard tasks; above 32,000 answers take so long that connections break.
 */
export const BUDGETS: Readonly<Record<Level, number>> = {
  minimal: 1_024,
  low: 4_096,
  medium: 10_000,
  high: 16_000,
  xhigh: 24_000,
  max: 32_000,
};
