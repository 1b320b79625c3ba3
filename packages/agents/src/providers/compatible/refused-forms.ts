import { EFFORT_MEMBERS, effortFor, isReplayed, LEFT_OUT, type RequestForm } from './request-form.ts';

/** A refused request: the server's words, and the body that it refused. */
export interface Refusal {
  readonly words: string;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly form: RequestForm;
}

type Rule = (refusal: Refusal) => Partial<RequestForm> | null;

/** Words by which servers say that they do not take something. */
const NOT_TAKEN =
  /unsupported|not (?:supported|allowed|permitted|available|recognized)|does ?n[o']t support|unknown|unexpected|unrecognized|extra|forbidden|invalid|extraneous|not a valid|not enabled/i;

/**
 * What may be asked in another form when a server refuses it, a rule each. Each one looks for the name of what it changes
 * and changes nothing that was not sent, so no text of a server can do away with anything else.
 */
const rules: readonly Rule[] = [
  missingThoughts,
  missingSignatures,
  refusedReplay,
  callIds,
  emptyContent,
  effort,
  effortOfPackage,
  leftOut,
  schemas,
];

/** Refusals of what a request says, of its size, or of who asks: no other form of it may be tried. */
const NO_FORM =
  /polic(?:y|ies)|safety|moderation|violat|inappropriate|harmful|offensive|(?<!case[- ])\bsensitive|max_(?:completion_|output_)?tokens|too (?:large|long)|quota|billing|(?:api|your|invalid) key|organi[sz]ation must/i;

/** The form in which a refused request is asked again; null where its form is not what is wrong. */
export function formAfter(refusal: Refusal): RequestForm | null {
  if (NO_FORM.test(refusal.words)) return null;
  // Words about a missing thought name thinking too: the first rules are the narrow ones.
  for (const rule of rules.slice(0, 5)) {
    const change = rule(refusal);
    if (change !== null) return { ...refusal.form, ...change };
  }
  const changes = rules.slice(5).flatMap((rule) => rule(refusal) ?? []);
  if (changes.length === 0) return null;
  const without = [...new Set([...refusal.form.without, ...changes.flatMap((change) => change.without ?? [])])];
  return { ...refusal.form, ...Object.assign({}, ...changes), without };
}

/** Whether a refusal names a part of the form, whatever the server: another model may take the same request. */
export function isAboutForm(words: string): boolean {
  if (NO_FORM.test(words)) return false;
  if (SCHEMA.test(words) || NULL_CONTENT.test(words)) return true;
  const isRefusal = NOT_TAKEN.test(words) || MISSING.test(words) || OTHER_VALUE.test(words);
  return isRefusal && [...LEFT_OUT, ...REPLAYED, ...OTHER_EFFORT].some((name) => isNamed(name, words));
}

function isNamed(name: string, words: string): boolean {
  return new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i').test(words);
}

/** Members of answers that servers want back, or do not. */
const REPLAYED = ['reasoning_content', 'reasoning_details', 'extra_content', 'thought_signature'];

const MISSING = /must be passed back|missing|required/i;

function missingThoughts({ words, sent, form }: Refusal): Partial<RequestForm> | null {
  if (form.missingThoughts === 'empty' || !isNamed('reasoning_content', words) || !MISSING.test(words)) return null;
  const isLacking = answersIn(sent).some((answer) => callsOf(answer).length > 0 && !('reasoning_content' in answer));
  return isLacking ? { missingThoughts: 'empty', replay: 'as_received' } : null;
}

function missingSignatures({ words, sent, form }: Refusal): Partial<RequestForm> | null {
  if (form.missingSignatures === 'placeholder' || !/missing a .?thought_signature/i.test(words)) return null;
  return answersIn(sent).some((answer) => callsOf(answer).length > 0) ? { missingSignatures: 'placeholder' } : null;
}

function refusedReplay({ words, sent, form }: Refusal): Partial<RequestForm> | null {
  if (form.replay === 'nothing' || !NOT_TAKEN.test(words)) return null;
  // The body may have a member of the same name, so the words must speak of a message.
  if (!/messages?\b|role|assistant|reasoning_content|reasoning_details|extra_content/i.test(words)) return null;
  const names = answersIn(sent).flatMap((answer) => [
    ...Object.keys(answer).filter(isReplayed),
    ...callsOf(answer).flatMap((call) =>
      Object.keys(call).filter((name) => !['id', 'type', 'function'].includes(name)),
    ),
  ]);
  return names.some((name) => isNamed(name, words)) ? { replay: 'nothing', missingThoughts: 'absent' } : null;
}

function callIds({ words, sent, form }: Refusal): Partial<RequestForm> | null {
  if (form.callIds === 'nine' || !/tool call id\b.*\blength of 9/i.test(words)) return null;
  return answersIn(sent).some((answer) => callsOf(answer).length > 0) ? { callIds: 'nine' } : null;
}

/** Words about a content that is null or empty. */
const NULL_CONTENT =
  /(?<![\w-])contents?(?![\w-])[^.]{0,120}(?:null|none|empty|blank|required|missing|valid string|expected (?:a )?string)|(?:null|none|empty|blank|non-empty|valid string)[^.]{0,120}(?<![\w-])contents?(?![\w-])/i;

function emptyContent({ words, sent, form }: Refusal): Partial<RequestForm> | null {
  if (form.emptyContent !== 'as_is' || !NULL_CONTENT.test(words)) return null;
  const contents = answersIn(sent)
    .filter((answer) => callsOf(answer).length > 0)
    .map(({ content }) => content);
  if (contents.some((content) => content === null)) return { emptyContent: 'text' };
  return contents.some((content) => content === '') ? { emptyContent: 'null' } : null;
}

/** Words by which servers ask for another value. */
const OTHER_VALUE = /should be|must be|one of|(?:supported|valid|allowed) values|deprecated/i;

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * An effort that the server offers, the nearest one below what was asked, or else above; without an offer, the server's own
 * default. No thinking at all is no offer to a model that was asked to think.
 */
function effort({ words, sent, form }: Refusal): Partial<RequestForm> | null {
  const asked = sent.reasoning_effort;
  if (typeof asked !== 'string' || !/reasoning[._ ]effort|\beffort\b/i.test(words)) return null;
  if (!NOT_TAKEN.test(words) && !OTHER_VALUE.test(words)) return null;
  const offered = efforts.filter(
    (one) => one !== asked && one !== 'none' && new RegExp(`['"\`]${one}['"\`]`).test(words),
  );
  const rank = efforts.indexOf(asked);
  const nearest = offered.findLast((one) => efforts.indexOf(one) < rank) ?? offered[0];
  const isReplacement = Object.values(form.efforts).includes(asked);
  if (nearest === undefined || isReplacement) return { without: ['reasoning_effort'], efforts: {} };
  return { efforts: { ...form.efforts, [asked]: nearest } };
}

/** The members by which vendors with an API of their own are asked to think. */
const OTHER_EFFORT = ['output_config', 'thinking_?config', 'thinking_?level', 'thinking_?budget', 'reasoning_?config'];

const EFFORT_WORDS = new RegExp(
  `(?<![\\w-])(?:effort|thinking|reasoning|reasoning_?effort|${OTHER_EFFORT.join('|')})(?![\\w-])`,
  'i',
);

/** An effort that a package of the SDK has put into its vendor's form. */
function effortOfPackage({ words, sent }: Refusal): Partial<RequestForm> | null {
  if (sent.effort === undefined || !EFFORT_WORDS.test(words)) return null;
  // A temperature is refused beside thoughts, and is what goes.
  if (sent.temperature !== undefined && isNamed('temperature', words)) return null;
  const isRefused = NOT_TAKEN.test(words) || OTHER_VALUE.test(words) || isAboutThisConversation(words);
  return isRefused ? { without: ['effort'] } : null;
}

/** Whether words of a vendor are about the thoughts in the messages of one conversation, and say nothing of others. */
export function isAboutThisConversation(words: string): boolean {
  return /must start with a thinking block|disable .?thinking|thinking.? blocks?\b|invalid .?signature/i.test(words);
}

function leftOut({ words, sent }: Refusal): Partial<RequestForm> | null {
  if (!NOT_TAKEN.test(words) && !/deprecated|may only be/i.test(words)) return null;
  const named = LEFT_OUT.filter((name) => sent[name] !== undefined && name !== 'reasoning_effort');
  const refused = named.filter(
    (name) => isNamed(name, words) || (name === 'stream_options' && isNamed('include_usage', words)),
  );
  return refused.length === 0 ? null : { without: refused };
}

/** Words about a schema, a keyword of one, or a form of answers; the last are Google's. */
const SCHEMA =
  /schema|response_format|grammar|structured.?output|guided|unsupported keyword|keyword\b[^.]{0,60}\bnot (?:supported|allowed|permitted)|unknown name\b[\s\S]{0,300}\b(?:cannot find field|function_declarations)|function_declarations|unknown name at|proto field is not repeating/i;

function schemas({ words, sent, form }: Refusal): Partial<RequestForm> | null {
  if (form.schemas === 'plain' || !SCHEMA.test(words)) return null;
  return sent.tools === undefined && sent.response_format === undefined ? null : { schemas: 'plain' };
}

function answersIn({ messages }: Refusal['sent']): Record<string, unknown>[] {
  return Array.isArray(messages) ? messages.filter(({ role }) => role === 'assistant') : [];
}

function callsOf({ tool_calls }: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(tool_calls) ? tool_calls : [];
}

/** What a form asks of thinking less than was asked, as the end of a sentence; null where it leaves it. */
export function effortNotice(form: RequestForm, asked: Readonly<Record<string, unknown>>): string | null {
  const dropped = EFFORT_MEMBERS.filter((name) => form.without.includes(name) && asked[name] !== undefined);
  if (dropped.length > 0) return `refuses ${dropped.join(' and ')}, so it is asked without and may think less`;
  const taken = effortFor(asked.reasoning_effort, form);
  return taken === null ? null : `refuses reasoning_effort ${asked.reasoning_effort}, so it is asked with ${taken}`;
}

/** How a form differs from another, for people. */
export function shownForm(form: RequestForm, usual: RequestForm): string[] {
  return [
    ...form.without.filter((name) => !usual.without.includes(name)).map((name) => `${name} left out`),
    ...Object.entries(form.efforts).map(([asked, taken]) => `reasoning_effort ${taken} for ${asked}`),
    ...(form.schemas !== usual.schemas ? ['schemas in plain keywords'] : []),
    ...(form.emptyContent !== usual.emptyContent
      ? [`empty content as ${form.emptyContent === 'null' ? 'null' : 'an empty text'}`]
      : []),
    ...(form.replay !== usual.replay && form.replay === 'nothing' ? ['thoughts not sent back'] : []),
    ...(form.missingThoughts !== usual.missingThoughts ? ['an empty reasoning_content where there is no thought'] : []),
    ...(form.missingSignatures !== usual.missingSignatures
      ? ["Google's placeholder where a signature is missing"]
      : []),
    ...(form.callIds !== usual.callIds ? ['ids of calls with nine characters'] : []),
  ];
}
