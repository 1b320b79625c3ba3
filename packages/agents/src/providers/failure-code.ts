import type { ErrorCode } from '@sluice/core/error';
import type { ThrownFacts } from './thrown-facts.ts';

/**
 * The vendors' own words for what their status alone does not tell, the first that fits. They are matched against type,
 * code and message together, because each vendor keeps them elsewhere, and the compatible servers copy one or the other.
 */
const byWords: readonly (readonly [ErrorCode, RegExp])[] = [
  [
    'model_quota_exhausted',
    /insufficient_quota|billing_|credit balance|exceeded your current quota|insufficient (?:credits?|funds|balance)|payment required|api usage limits|spend(?:ing)? limit|more credits/i,
  ],
  [
    'model_answer_withheld',
    /content_policy|content_filter|content filter|responsibleaipolicy|invalid_prompt|flagged as|safety (?:system|reasons)/i,
  ],
  [
    'model_key_refused',
    /invalid_api_key|authentication_error|api key (?:not valid|expired)|(?:invalid|incorrect) api key/i,
  ],
  [
    'model_not_found',
    /model_not_found|unknown model|no such model|not a valid model|model\b[^.]{0,120}\b(?:not found|does not exist)|not_found_error/i,
  ],
  ['model_overloaded', /rate_limit/i],
];

const CONTEXT_FULL = new RegExp(
  [
    'context_length_exceeded|exceed_context_size|request_too_large|prompt is too long|input is too long',
    'maximum (?:context|prompt|input) length|reduce the length of|input token count[^.]{0,40}exceeds',
    "exceeds? (?:the )?(?:model'?s? )?(?:available |maximum )?context",
    'context (?:window|length|size|limit)[^.]{0,40}exceed|exceed[^.]{0,40}context (?:window|length|size|limit)',
    // SGLang and Together, LM Studio; Moonshot; Z.AI and Ollama; Alibaba.
    "(?:longer|greater) than the (?:model'?s )?context length|exceeded model token limit|prompt too long",
    'range of input length should be',
  ].join('|'),
  'i',
);

/** Faults of our own request, found before it was sent. */
const OURS =
  /^AI_(?:InvalidPrompt|MissingToolResults|InvalidArgument|UnsupportedFunctionality|InvalidMessageRole|MessageConversion|NoSuchModel|LoadSetting)Error$|^(?:Range|Reference)Error$/;

const byStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'model_key_refused',
  402: 'model_quota_exhausted',
  403: 'model_key_refused',
  404: 'model_not_found',
  408: 'model_timeout',
  409: 'model_unavailable',
  413: 'model_context_full',
  429: 'model_overloaded',
  529: 'model_overloaded',
};

/** The error code of a failure. An unknown failure counts as an outage, because a retry may fix it. */
export function failureCode({ name, message, status, codes, unreadable }: ThrownFacts): ErrorCode {
  if (unreadable !== null) return 'model_answer_unreadable';
  if (name === 'TimeoutError' || codes.some((code) => /^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/.test(code)))
    return 'model_timeout';
  if (OURS.test(name)) return 'internal';
  if (name === 'AI_LoadAPIKeyError') return 'model_key_refused';
  const words = [...codes, message].join(' ');
  if (CONTEXT_FULL.test(words)) return 'model_context_full';
  if (/overloaded/i.test(words)) return 'model_overloaded';
  const broken = status !== null && (status < 400 || status >= 500);
  // A server that is broken talks of anything; one that refuses means what it says.
  const known = broken ? undefined : byWords.find(([, look]) => look.test(words));
  if (known !== undefined) return known[0];
  // A failure that comes with status 200 says in its words whose it is.
  if (status === null)
    return /invalid_request|invalid_argument/i.test(words) ? 'model_request_refused' : 'model_unavailable';
  return byStatus[status] ?? (broken ? 'model_unavailable' : 'model_request_refused');
}
