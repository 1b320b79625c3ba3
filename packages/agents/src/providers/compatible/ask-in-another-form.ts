import { APICallError, type LanguageModelV4CallOptions, type LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';
import { KEPT } from '../../models/kept-mark.ts';
import type { RefusalMemory } from './refusal-memory.ts';
import { effortNotice, formAfter, isAboutThisConversation } from './refused-forms.ts';
import type { RequestForm } from './request-form.ts';

const MAX_FORMS = 3; // a strict server names one member after the other; each is asked again once

/** How the servers of a provider are asked in a form. */
export interface Asking {
  inForm(params: LanguageModelV4CallOptions, form: RequestForm): LanguageModelV4CallOptions;
  /**
   * What may be asked in another form, by the names that refusals are read for.
   *
   * @param body what the SDK sent
   */
  sent(params: LanguageModelV4CallOptions, body: Record<string, unknown>): Record<string, unknown>;
  /** What a request asks of thinking. */
  effortIn(params: LanguageModelV4CallOptions): Record<string, unknown>;
}

interface AskedForm {
  readonly asking: Asking;
  /** The form of the first request. */
  readonly usual: RequestForm;
  /** Server and model. */
  readonly route: string;
  readonly memory: RefusalMemory;
  /** Whether a failure is the refusal of a request, and none of its content, its size or the key. */
  isRefusal(error: unknown): boolean;
}

/**
 * Asks again in another form when a server refuses the form of a request (`formAfter`), and from then on only so. The
 * roles' instructions tell the shape of answers as well, and it is checked in any case.
 */
export function askInAnotherForm(asked: AskedForm): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    async wrapStream({ model, params }) {
      const { asking, memory, route } = asked;
      let form = memory.formFor(route) ?? asked.usual;
      let isRemembered = true;
      for (let count = 0; ; count += 1) {
        try {
          const answer = await model.doStream(asking.inForm(params, form));
          const isNew = count > 0 && isRemembered;
          if (isNew) memory.remember(route, form);
          const notice = effortNotice(form, asking.effortIn(params));
          if (notice === null) return answer;
          return { ...answer, stream: answer.stream.pipeThrough(noting({ notice, isNew })) };
        } catch (error) {
          if (count === MAX_FORMS || !asked.isRefusal(error)) throw error;
          const { words, body } = refusalIn(error);
          const next = formAfter({ words, sent: asking.sent(params, body), form });
          if (next === null) throw error;
          isRemembered &&= !isAboutThisConversation(words);
          form = next;
        }
      }
    },
  };
}

function refusalIn(error: unknown): { words: string; body: Record<string, unknown> } {
  if (!APICallError.isInstance(error)) return { words: '', body: {} };
  const words = `${error.message} ${wordsIn(error.responseBody ?? '')}`.slice(0, MAX_WORDS_CHARACTERS);
  return {
    // Every refusal is called an invalid request, so that word says nothing of what is wrong.
    words: words.replaceAll(/invalid_?(?:request(?:_error)?|argument)/gi, ''),
    body: (error.requestBodyValues ?? {}) as Record<string, unknown>,
  };
}

const MAX_WORDS_CHARACTERS = 10_000; // an error is a few sentences; one of Google's names each place in a schema

/** The texts of a refusal, without the names of its own members and without the input that it quotes. */
function wordsIn(body: string): string {
  try {
    return textsIn(JSON.parse(body)).join(' ');
  } catch {
    return body;
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === 'input' ? [] : textsIn(member)));
}

function noting(noted: {
  readonly notice: string;
  readonly isNew: boolean;
}): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  return new TransformStream({
    transform(part, controller) {
      if (part.type !== 'finish') return controller.enqueue(part);
      const mark = { ...part.providerMetadata?.[KEPT], ...noted };
      controller.enqueue({ ...part, providerMetadata: { ...part.providerMetadata, [KEPT]: mark } });
    },
  });
}
