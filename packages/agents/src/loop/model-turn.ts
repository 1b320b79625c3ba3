import { askModel, type ModelAnswer } from './ask-model.ts';
import type { ModelChoice } from './model-choice.ts';
import { type PassedOver, withStandIns } from './stand-in.ts';
import type { TurnRequest } from './turn-request.ts';

export interface ModelTurn extends ModelAnswer {
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
