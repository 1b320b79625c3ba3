import { createHash } from 'node:crypto';
import { OF_FUNCTION } from './replay.ts';

/** A JSON object in a request's body. */
type Json = Record<string, unknown>;

/** The form of a request where servers differ. What every server takes in the same form is not here. */
export interface RequestForm {
  /** Members of the body that are left out. Only those of `LEFT_OUT` ever are. */
  readonly without: readonly string[];
  /** The effort in place of each that the server refused. */
  readonly efforts: Readonly<Record<string, string>>;
  /** `plain`: an answer in text, and tools with the keywords that every server reads. */
  readonly schemas: 'full' | 'plain';
  /** How a message without words says so, where it makes calls. */
  readonly emptyContent: 'as_is' | 'text' | 'null';
  /** Whether members of an answer that the API does not define are sent back. */
  readonly replay: 'as_received' | 'nothing';
  /** The member in which thoughts as text are sent back, whichever they came in; null: the one they came in. */
  readonly thoughts: string | null;
  /** Whether a turn with calls gets an empty `reasoning_content` where it has no thought. */
  readonly missingThoughts: 'absent' | 'empty';
  /** Whether a turn with unsigned calls gets Google's placeholder of a signature. */
  readonly missingSignatures: 'absent' | 'placeholder';
  /** `nine`: nine letters and digits. */
  readonly callIds: 'any' | 'nine';
}

export const USUAL_FORM: RequestForm = {
  without: [],
  efforts: {},
  schemas: 'full',
  emptyContent: 'as_is',
  replay: 'as_received',
  thoughts: null,
  missingThoughts: 'absent',
  missingSignatures: 'absent',
  callIds: 'any',
};

/** Members by which servers are asked to think. */
export const EFFORT_MEMBERS = [
  'reasoning_effort',
  'reasoning',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'chat_template_kwargs',
  // Whatever a package of the SDK makes of an effort.
  'effort',
] as const;

/** All that may ever be left out of a body: never `tools`, `store`, a limit, or anything of privacy. */
export const LEFT_OUT = ['stream_options', 'parallel_tool_calls', 'temperature', ...EFFORT_MEMBERS] as const;

/** Google's word for a call of another model, as quoted in https://github.com/elastic/kibana/pull/243463. */
const PLACEHOLDER = 'skip_thought_signature_validator';

/** The member of a request's body under which its form travels through the SDK. */
export const FORM = 'sluice_form';

/** The body in the form that it carries. */
export function inItsForm({ [FORM]: carried, ...body }: Json): Json {
  const form = { ...USUAL_FORM, ...(carried as Partial<RequestForm> | undefined) };
  const left = Object.entries(body).filter(([name]) => !isLeftOut(name, form));
  return withEffort(
    withSchemas({ ...Object.fromEntries(left), messages: messagesIn(body.messages, form) }, form),
    form,
  );
}

function isLeftOut(name: string, { without }: RequestForm): boolean {
  return without.includes(name) && LEFT_OUT.some((known) => known === name);
}

function withEffort(body: Json, form: RequestForm): Json {
  const effort = effortFor(body.reasoning_effort, form);
  return effort === null ? body : { ...body, reasoning_effort: effort };
}

/** The effort in place of one that was asked for; null where that is sent as it is. */
export function effortFor(asked: unknown, { efforts }: RequestForm): string | null {
  return typeof asked === 'string' && Object.hasOwn(efforts, asked) ? (efforts[asked] ?? null) : null;
}

function withSchemas({ response_format, ...body }: Json, { schemas }: RequestForm): Json {
  if (schemas === 'full') return response_format === undefined ? body : { ...body, response_format };
  return { ...body, ...(Array.isArray(body.tools) && { tools: body.tools.map(plainTool) }) };
}

function plainTool(tool: Json): Json {
  const { strict: _, ...definition } = tool.function as Json;
  return { ...tool, function: { ...definition, parameters: plainSchema(definition.parameters) } };
}

/** What every server reads of a schema. */
const PLAIN_KEYWORDS: ReadonlySet<string> = new Set(['type', 'description', 'properties', 'required', 'items', 'enum']);

export function plainSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(([keyword]) => PLAIN_KEYWORDS.has(keyword));
  return Object.fromEntries(
    members.map(([keyword, value]) => {
      if (keyword === 'items') return [keyword, plainSchema(value)];
      if (keyword !== 'properties' || typeof value !== 'object' || value === null) return [keyword, value];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainSchema(one)]))];
    }),
  );
}

function messagesIn(messages: unknown, form: RequestForm): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.map((message: Json) => {
    if (message.role === 'assistant') return answerIn(message, form);
    return message.role === 'tool' ? { ...message, tool_call_id: callId(message.tool_call_id, form) } : message;
  });
}

/** What the API itself defines of an answer. */
const DEFINED: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls']);

/** Whether a member of an answer is one that its server has made up. */
export function isReplayed(name: string): boolean {
  return !DEFINED.has(name);
}

function answerIn(message: Json, form: RequestForm): Json {
  const { role, content, tool_calls, ...others } = message;
  const calls = Array.isArray(tool_calls) ? (tool_calls as Json[]) : [];
  const isReplay = form.replay === 'as_received';
  const members = isReplay ? withThoughts(others, calls, form) : {};
  const signed = calls.map((call) => callIn(call, form));
  return {
    role,
    content: contentIn(isReplay ? content : textOf(content), calls, form),
    ...members,
    ...(calls.length > 0 && { tool_calls: isReplay ? withSignature(signed, others, form) : signed }),
  };
}

function withThoughts(members: Json, calls: readonly Json[], { thoughts, missingThoughts }: RequestForm): Json {
  const { reasoning_content, reasoning, ...others } = members;
  const text = reasoning_content ?? reasoning;
  if (thoughts !== null && text !== undefined) return { [thoughts]: text, ...others };
  const isMissing = missingThoughts === 'empty' && calls.length > 0 && text === undefined;
  return isMissing ? { reasoning_content: '', ...members } : members;
}

function contentIn(content: unknown, calls: readonly Json[], { emptyContent }: RequestForm): unknown {
  if (calls.length === 0 || (content !== null && content !== '') || emptyContent === 'as_is') return content;
  return emptyContent === 'text' ? '' : null;
}

/** The words of a content in parts, which servers send that keep thoughts among them. */
function textOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return (content as Json[]).map(({ type, text }) => (type === 'text' ? String(text) : '')).join('') || null;
}

function callIn({ id, type, function: called, ...others }: Json, form: RequestForm): Json {
  const { [OF_FUNCTION]: ofFunction, ...members } = others;
  const isReplay = form.replay === 'as_received';
  return {
    id: callId(id, form),
    type,
    function: { ...(called as Json), ...(isReplay && (ofFunction as Json | undefined)) },
    ...(isReplay && members),
  };
}

function withSignature(calls: readonly Json[], message: Json, { missingSignatures }: RequestForm): readonly Json[] {
  if (
    missingSignatures === 'absent' ||
    JSON.stringify([calls.map(({ extra_content }) => extra_content), message]).includes('thought_signature')
  )
    return calls;
  const [first, ...others] = calls;
  return [{ ...first, extra_content: { google: { thought_signature: PLACEHOLDER } } }, ...others];
}

export function callId(id: unknown, { callIds }: RequestForm): unknown {
  if (callIds === 'any' || /^[a-zA-Z0-9]{9}$/.test(String(id))) return id;
  return createHash('sha256').update(String(id)).digest('hex').slice(0, 9);
}
