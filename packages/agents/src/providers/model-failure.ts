import { AppError, type ErrorCode } from '@sluice/core/error';
import { scrub, visibleLine, withoutSecrets } from '@sluice/core/text';
import { FormRefused } from '../models/form-refused.ts';
import { shortenEnd } from '../tools/shorten.ts';
import { isAboutForm } from './compatible/refused-forms.ts';
import { failureCode } from './failure-code.ts';
import { type ThrownFacts, thrownFacts, type UnreadableFacts } from './thrown-facts.ts';

/** Who failed, and what is never shown of it. */
export interface FailingModel {
  /** The configured name. */
  readonly name: string;
  /** Who serves it, as people call it. */
  readonly server: string;
  readonly keyVariable: string;
  readonly urlVariable: string;
  readonly hasKey: boolean;
  readonly secrets: readonly string[];
}

type Sentence = (model: FailingModel) => string;

/** What happened and what to do about it. */
const sentences: Partial<Record<ErrorCode, Sentence>> = {
  model_key_refused: ({ name, server, keyVariable, hasKey }) =>
    hasKey
      ? `${name}: ${server} refused the key. Set ${keyVariable} to one that is valid and may use this model.`
      : `${name}: ${server} wants a key. Set ${keyVariable}.`,
  model_quota_exhausted: ({ name, keyVariable }) =>
    `${name}: the account of ${keyVariable} is out of quota or credit. Add some there, or configure another model.`,
  model_not_found: ({ name, server, urlVariable }) =>
    `${name}: ${server} does not know this model. Check its spelling, and ${urlVariable}.`,
  model_request_refused: ({ name, server }) => `${name}: ${server} refused the request.`,
  model_context_full: ({ name }) =>
    `${name}: the work does not fit into the context window. Make the issue smaller, configure a model with a larger window, or correct context_tokens in MODEL_SETTINGS.`,
  model_answer_withheld: ({ name, server }) =>
    `${name}: ${server} withheld its answer (content filter or refusal). Word the issue differently, or configure another model.`,
  model_overloaded: ({ name, server }) => `${name}: ${server} is overloaded or limits our rate. Try again later.`,
  model_unavailable: ({ name, server, urlVariable }) =>
    `${name}: ${server} could not be reached or broke off. Check ${urlVariable} and the network if it lasts.`,
  model_answer_unreadable: ({ name, server, urlVariable }) =>
    `${name}: ${server} answered in a form that cannot be read. Check ${urlVariable}: it may be the address of a page, or of another API.`,
  model_timeout: ({ name }) => `${name}: the answer took too long. Try again, or raise MODEL_TIMEOUT for a slow model.`,
  internal: ({ name }) => `${name}: the request could not be made.`,
};

/** The failures after which a server may say when to come back. */
const mayPass: ReadonlySet<ErrorCode> = new Set(['model_overloaded', 'model_unavailable']);

/**
 * Turns the error of a call to a model into a failure of ours. Its sentence names the model as configured, says what to
 * do, and repeats at most the provider's own short words; no key, header or prompt is in it or in its cause.
 */
export function modelFailure(model: FailingModel, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const facts = thrownFacts(thrown);
  const code = failureCode(facts);
  const words = vendorWords(facts.message, facts.sent, model.secrets);
  const sentence = (sentences[code] as Sentence)(model);
  const said =
    facts.unreadable === null ? words && `It said: ${words}` : shownAnswer(facts.unreadable, facts.sent, model.secrets);
  const detail = said === '' ? sentence : `${sentence} ${said}`;
  const cause = causeOf(facts, words);
  if (code === 'model_request_refused' && isAboutForm(facts.message)) return new FormRefused({ detail }, { cause });
  return new AppError(
    code,
    { detail, ...(mayPass.has(code) && facts.retryAfterMs !== null && { retryAfterMs: facts.retryAfterMs }) },
    { cause },
  );
}

const START_CHARACTERS = 80; // enough to know a page or another API by

function shownAnswer(
  { contentType, start, expected }: UnreadableFacts,
  sent: string,
  secrets: readonly string[],
): string {
  const shown = (text: string) => {
    const known = visibleLine(withoutEcho(withoutSecrets(scrub(text, secrets)), sent));
    return shortenEnd(known, START_CHARACTERS) || '(nothing)';
  };
  const type = contentType === null ? '' : ` as ${shown(contentType)}`;
  return `Expected was ${expected}. What came${type} begins: ${shown(start)}`;
}

/** A copy for the log: the SDK's own error holds the whole request. */
function causeOf({ name, status, frames }: ThrownFacts, words: string): Error {
  const cause = new Error(status === null ? words : `HTTP ${status}: ${words}`);
  cause.name = name;
  cause.stack = `${name}: ${cause.message}\n${frames}`;
  return cause;
}

const WORDS_CHARACTERS = 300; // a vendor's sentence, not a page of a proxy's
const READ_CHARACTERS = 2_000;
const ECHO_STEP = 8;
const ECHO_CHARACTERS = 24; // three words in common are no echo, names of models and tools are shorter

/** A message of a provider as one short line, without secrets and without the request that it quotes. */
export function vendorWords(message: string, sent: string, secrets: readonly string[]): string {
  // Secrets first: a cut through one would leave a half that nothing knows any more.
  const read = scrub(message.slice(0, 4 * READ_CHARACTERS), secrets).slice(0, READ_CHARACTERS);
  const line = visibleLine(withoutEcho(read, sent));
  return shortenEnd(line, WORDS_CHARACTERS);
}

/** Some servers answer a request that they refuse with the whole of it. */
function withoutEcho(message: string, sent: string): string {
  if (sent === '') return message;
  const kept: string[] = [];
  for (let at = 0; at < message.length; at += ECHO_STEP) {
    const window = message.slice(at, at + ECHO_CHARACTERS);
    const echo = window.length === ECHO_CHARACTERS && sent.includes(window);
    if (!echo) kept.push(message.slice(at, at + ECHO_STEP));
    else if (kept.at(-1) !== '…') kept.push('…');
  }
  return kept.join('');
}
