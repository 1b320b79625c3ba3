import { AppError, isModelUnavailable } from '@sluice/core';
import type { AwayModels } from './away-models.ts';
import type { ModelChoice } from './model-choice.ts';

/** A model that failed, by its configured name, and the sentence that says why. */
export interface PassedOver {
  readonly name: string;
  readonly reason: string;
}

/**
 * Asks the first choice that is here, on its failure the next, and those that are away last. A stand-in into whose window
 * the work does not fit is passed over too: it was not chosen for its size.
 *
 * @throws the AppError of a choice that no other would better; when nobody could answer, one error that tells all
 * reasons, with the code of the first that may pass by itself
 */
export async function withStandIns<Answer>(
  { choices, away }: { readonly choices: readonly ModelChoice[]; readonly away: AwayModels },
  ask: (choice: ModelChoice) => Promise<Answer>,
): Promise<Answer & { choice: ModelChoice; passedOver: readonly PassedOver[] }> {
  const failures = new Map<ModelChoice, AppError>();
  for (const choice of away.inTurn(choices)) {
    try {
      const answer = await ask(choice);
      const passedOver = [...failures].map(([{ name }, { message }]) => ({ name, reason: message }));
      return { ...answer, choice, passedOver };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (isModelUnavailable(error)) away.add(choice);
      else if (choice === choices[0] || error.code !== 'model_context_full') throw error;
      failures.set(choice, error);
    }
  }
  throw nobody(choices.flatMap((choice) => failures.get(choice) ?? []));
}

function nobody(errors: readonly AppError[]): AppError {
  const error = errors.find(({ retry }) => retry) ?? errors[0];
  if (error === undefined) return new AppError('internal', { detail: 'No model is configured for this role.' });
  if (errors.length === 1) return error;
  const detail = errors.map(({ message }) => message).join(' ');
  return new AppError(error.code, { ...error.details, detail }, { cause: error });
}
