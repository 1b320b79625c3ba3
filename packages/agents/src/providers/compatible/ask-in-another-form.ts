import { APICallError, type LanguageModelV4CallOptions, type LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';
import { KEPT } from '../../models/kept-mark.ts';
import type { RefusalMemory } from './refusal-memory.ts';
import { effortNotice, formAfter } from './refused-forms.ts';
import { EFFORT_MEMBERS, FORM, type RequestForm } from './request-form.ts';

const MAX_FORMS = 3; // a strict server names one member after the other; each is asked again once

interface AskedForm {
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
      const remembered = asked.memory.formFor(asked.route);
      let form = remembered ?? asked.usual;
      for (let count = 0; ; count += 1) {
        try {
          const answer = await model.doStream(withForm(params, form));
          const isNew = count > 0;
          if (isNew) asked.memory.remember(asked.route, form);
          const notice = effortNotice(form, effortIn(params));
          if (notice === null) return answer;
          return { ...answer, stream: answer.stream.pipeThrough(noting({ notice, isNew })) };
        } catch (error) {
          const next = count < MAX_FORMS && asked.isRefusal(error) ? formAfter({ ...refusalIn(error), form }) : null;
          if (next === null) throw error;
          form = next;
        }
      }
    },
  };
}

function withForm(params: LanguageModelV4CallOptions, form: RequestForm): LanguageModelV4CallOptions {
  const { compatible, ...others } = params.providerOptions ?? {};
  return { ...params, providerOptions: { ...others, compatible: { ...compatible, [FORM]: { ...form } as never } } };
}

function refusalIn(error: unknown): { words: string; sent: Record<string, unknown> } {
  if (!APICallError.isInstance(error)) return { words: '', sent: {} };
  const words = `${error.message} ${wordsIn(error.responseBody ?? '')}`.slice(0, MAX_WORDS_CHARACTERS);
  return {
    // Every refusal is called an invalid request, so that word says nothing of what is wrong.
    words: words.replaceAll(/invalid_?(?:request(?:_error)?|argument)/gi, ''),
    sent: (error.requestBodyValues ?? {}) as Record<string, unknown>,
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

/** What a request asks of thinking. */
function effortIn({ reasoning, providerOptions }: LanguageModelV4CallOptions): Record<string, unknown> {
  const own = Object.entries(providerOptions?.compatible ?? {});
  const members = own.filter(([name]) => EFFORT_MEMBERS.some((known) => known === name));
  const isAsked = reasoning !== undefined && reasoning !== 'provider-default';
  return { ...(isAsked && { reasoning_effort: reasoning }), ...Object.fromEntries(members) };
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
