import type { Clock } from '@sluice/core/async';
import { AppError, isModelUnavailable } from '@sluice/core/error';
import { askModel, type ModelAnswer, type ModelRequest } from './ask-model.ts';
import { FormRefused } from './form-refused.ts';
import type { ModelChoice } from './model-choice.ts';
import { withPictures } from './with-pictures.ts';

const COOLDOWN_MS = 300_000; // most overloads are over by then, and a wrong key costs one request in five minutes

/** Skips models that failed recently, so that not every turn waits for them. One for the whole process. */
export interface ModelCooldown {
  start(choice: ModelChoice): void;
  /** The choices in order, those in cooldown last: asking one of them is better than giving up. */
  order(choices: readonly ModelChoice[]): readonly ModelChoice[];
}

/** Keeps each failed model, by its configured name, in cooldown for five minutes. */
export function createModelCooldown(clock: Clock): ModelCooldown {
  const until = new Map<string, number>();
  return {
    start({ name }) {
      until.set(name, clock.now().getTime() + COOLDOWN_MS);
    },
    order(choices) {
      const now = clock.now().getTime();
      const isCooling = ({ name }: ModelChoice) => (until.get(name) ?? 0) > now;
      return [...choices.filter((choice) => !isCooling(choice)), ...choices.filter(isCooling)];
    },
  };
}

/** A model that failed, by its configured name, with the reason as a sentence. */
interface SkippedModel {
  readonly name: string;
  readonly reason: string;
}

export interface ModelTurn extends ModelAnswer {
  /** The model that answered. */
  readonly choice: ModelChoice;
  /** The models that failed during this turn. A model skipped because of its cooldown is not listed. */
  readonly skipped: readonly SkippedModel[];
}

export interface FallbackRequest extends ModelRequest {
  /** The first one answers; the others are its fallback, in order. */
  readonly choices: readonly ModelChoice[];
  readonly cooldown: ModelCooldown;
  /** The content of a picture of the issue; null for what is none. */
  readPicture(id: string): Promise<Uint8Array | null>;
}

/**
 * Asks for one answer. A model that is unavailable (key refused, quota, unknown model, overloaded, unreachable, too slow,
 * unreadable twice) enters its cooldown, and the next one is asked. So does one that refuses the form of the request. A
 * fallback whose window is too small is skipped as well, because it was not chosen for its size.
 *
 * @throws the signal's reason when cancelled; the AppError of a failure that no other model would avoid (content
 * refused, context full); when every model failed, one error with all reasons and the code of the first that may pass by itself
 */
export async function askWithFallback(request: FallbackRequest): Promise<ModelTurn> {
  const { choices, cooldown } = request;
  const failures = new Map<ModelChoice, AppError>();
  for (const choice of cooldown.order(choices)) {
    try {
      const messages = await withPictures(request.messages, { choice, read: request.readPicture });
      const answer = await askReadable({ ...request, messages }, choice);
      const skipped = [...failures].map(([{ name }, { message }]) => ({ name, reason: message }));
      return { ...answer, choice, skipped };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (isModelUnavailable(error) || error instanceof FormRefused) cooldown.start(choice);
      else if (choice === choices[0] || error.code !== 'model_context_full') throw error;
      failures.set(choice, error);
    }
  }
  throw combined(choices.flatMap((choice) => failures.get(choice) ?? []));
}

/** An answer that cannot be read may be a page that a proxy sent once: it is asked for once more. */
async function askReadable(request: ModelRequest, choice: ModelChoice): Promise<ModelAnswer> {
  try {
    return await askModel(request, choice);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'model_answer_unreadable') throw error;
    return await askModel(request, choice);
  }
}

function combined(errors: readonly AppError[]): AppError {
  const error = errors.find(({ retry }) => retry) ?? errors[0];
  if (error === undefined) return new AppError('internal', { detail: 'No model is configured for this role.' });
  if (errors.length === 1) return error;
  const detail = errors.map(({ message }) => message).join(' ');
  return new AppError(error.code, { ...error.details, detail }, { cause: error });
}
