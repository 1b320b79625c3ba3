import type { ModelMessage } from 'ai';
import type { Answer } from '../roles/answer.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import type { AwayModels } from './away-models.ts';
import type { ModelChoice } from './model-choice.ts';
import type { TurnTimeouts } from './turn-patience.ts';

/** What one turn asks of a model. */
export interface TurnRequest {
  /** The first answers; the others stand in, in order, when it is away. */
  readonly choices: readonly ModelChoice[];
  /** Which of them failed a moment ago. */
  readonly away: AwayModels;
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly AgentTool[];
  readonly answer: Answer<unknown>;
  readonly signal: AbortSignal;
  /** For each of the choices anew. */
  readonly timeouts: TurnTimeouts;
  /** How often the SDK asks the same model again, by the provider's own headers, before it counts as away. */
  readonly maxRetries: number;
  /** Words as they come. Those of a choice that then failed are no part of the answer. */
  onText(text: string, choice: ModelChoice): void;
}
