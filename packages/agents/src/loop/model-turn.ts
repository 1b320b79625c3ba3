import type { AppError } from '@sluice/core';
import type { FinishReason, LanguageModelUsage, ModelMessage } from 'ai';
import type { Answer } from '../role/answer.ts';
import type { AgentTool } from '../tool/agent-tool.ts';
import { askModel } from './ask-model.ts';
import type { AwayModels } from './away-models.ts';
import type { ModelChoice } from './model-choice.ts';
import { type PassedOver, withStandIns } from './stand-in.ts';
import type { TurnTimeouts } from './turn-patience.ts';

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

export interface ModelTurn {
  /** The model's message, and the SDK's own answers to calls that it could not understand. */
  readonly messages: readonly ModelMessage[];
  readonly usage: LanguageModelUsage;
  readonly finishReason: FinishReason;
  /** `model_answer_withheld`, when that is how the answer ended: it is paid for, so its usage counts, but useless. */
  readonly withheld: AppError | null;
  /** Who answered. */
  readonly choice: ModelChoice;
  /** Who should have, and failed just now. Empty while a choice is passed over for an earlier failure. */
  readonly passedOver: readonly PassedOver[];
}

/**
 * One answer of a model. A choice that is away (key refused, quota, unknown model, overloaded, unreachable, too slow)
 * is passed over for the next, and stays so for five minutes.
 *
 * @throws the signal's reason when cancelled; AppError `model_*` when no choice could answer, or when one refused in a
 * way that another would not better (request refused, context full)
 */
export async function modelTurn(request: TurnRequest): Promise<ModelTurn> {
  return await withStandIns(request, (choice) => askModel(request, choice));
}
