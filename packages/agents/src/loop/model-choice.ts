import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { LanguageModelUsage } from 'ai';

/** The model of a role. Always an object: a bare name would be resolved by a public gateway. */
export interface ModelChoice {
  readonly model: LanguageModelV4;
  /** How it is shown with everything that it did. */
  readonly label: string;
  /** Instead of the role's own limit. */
  readonly maxTurns?: number;
  /** What a turn cost, or null when the price is unknown. Without it every cost is unknown. */
  costUsd?(usage: LanguageModelUsage): number | null;
}
