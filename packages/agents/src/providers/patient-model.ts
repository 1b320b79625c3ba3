import type { LanguageModelV4 } from '@ai-sdk/provider';
import { APICallError, wrapLanguageModel } from 'ai';
import { thrownFacts } from './thrown-facts.ts';

/** The SDK follows a requested wait below this, and asks after seconds of its own where it is longer. */
const LONGEST_SDK_WAIT_MS = 60_000;

/**
 * A model whose requests are not repeated before the server wants them: a longer wait is left to the stage, which is
 * retried after all of it.
 */
export function patientModel(model: LanguageModelV4): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      async wrapStream({ doStream }) {
        try {
          return await doStream();
        } catch (error) {
          throw withoutHaste(error);
        }
      },
    },
  });
}

function withoutHaste(error: unknown): unknown {
  if (!APICallError.isInstance(error) || !error.isRetryable) return error;
  if ((thrownFacts(error).retryAfterMs ?? 0) < LONGEST_SDK_WAIT_MS) return error;
  const { message, url, requestBodyValues, statusCode, responseHeaders, responseBody, data, cause } = error;
  return new APICallError({
    ...{ message, url, requestBodyValues, data, cause },
    ...(statusCode !== undefined && { statusCode }),
    ...(responseHeaders !== undefined && { responseHeaders }),
    ...(responseBody !== undefined && { responseBody }),
    isRetryable: false,
  });
}
