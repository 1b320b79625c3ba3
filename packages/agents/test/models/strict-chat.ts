import type { ServerResponse } from 'node:http';
import { storableJson } from '@sluice/core/text';
import type { ModelMessage } from 'ai';
import type { ModelChoice } from '../../src/models/model-choice.ts';
import { ask } from './ask.ts';
import { refuse, startVendor, stream, type VendorServer, type WireRequest } from './vendor-server.ts';

type Members = Record<string, unknown>;

/** One answer of a scripted chat server, with the members that it adds to what the API defines. */
export interface ChatAnswer {
  readonly text?: string;
  /** Members of the message, each delta after the other. */
  readonly deltas?: readonly Members[];
  /** The same, after the calls. */
  readonly after?: readonly Members[];
  readonly calls?: readonly {
    readonly id: string;
    readonly path: string;
    /** `read_file` by default. */
    readonly tool?: readonly [name: string, input: object];
    readonly members?: Members;
    readonly ofFunction?: Members;
  }[];
}

/** A rule of a server, written from its source and without a look at the client. */
export interface StrictRule {
  readonly source: string;
  /** Why it refuses a request, in its own form; null for a request that it takes. */
  refuses(body: Members): { readonly status: number; readonly body: unknown } | null;
}

export type Answer = Members & { tool_calls?: Members[] };

export function answersIn({ messages = [] }: Members): Answer[] {
  return (messages as Answer[]).filter(({ role }) => role === 'assistant');
}

/** A chat server that holds each request against a rule, and gives one answer a turn. */
export async function startStrict(rule: StrictRule, answerAt: (turn: number) => ChatAnswer): Promise<VendorServer> {
  return await startVendor((response, { path, body }) => {
    if (!path.endsWith('/chat/completions')) return refuse(response, 404, { body: {} });
    const refused = rule.refuses(body);
    if (refused !== null) return refuse(response, refused.status, { body: refused.body });
    sendAnswer(response, answerAt(answersIn(body).length));
  });
}

export function sendAnswer(response: ServerResponse, { text, deltas = [], after = [], calls = [] }: ChatAnswer): void {
  const chunk = (delta: Members, finish_reason: string | null = null) => ({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
  stream(response, [
    chunk({ role: 'assistant', content: '' }),
    ...deltas.map((delta) => chunk(delta)),
    ...(text === undefined ? [] : [chunk({ content: text })]),
    ...calls.map(({ id, path, tool = ['read_file', { path }], members, ofFunction }, index) =>
      chunk({
        tool_calls: [
          {
            index,
            id,
            type: 'function',
            function: { name: tool[0], arguments: JSON.stringify(tool[1]), ...ofFunction },
            ...members,
          },
        ],
      }),
    ),
    ...after.map((delta) => chunk(delta)),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    { ...chunk({}), choices: [], usage: { prompt_tokens: 100, completion_tokens: 9, total_tokens: 109 } },
  ]);
  response.end('data: [DONE]\n\n');
}

/** A conversation of one turn for each choice, every call answered, and every message stored between turns. */
export async function converse(turns: readonly ModelChoice[]): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = [{ role: 'user', content: 'Go.' }];
  for (const choice of turns) {
    const { messages: said } = await ask([choice], { messages });
    messages.push(...said.map((message) => stored(message)));
    for (const message of said) if (message.role === 'assistant') messages.push(...resultsFor(message));
  }
  return messages;
}

function resultsFor({ content }: Extract<ModelMessage, { role: 'assistant' }>): ModelMessage[] {
  const calls = typeof content === 'string' ? [] : content.filter((part) => part.type === 'tool-call');
  if (calls.length === 0) return [{ role: 'user', content: 'Go on.' }];
  const results = calls.map(({ toolCallId, toolName }) => ({
    type: 'tool-result' as const,
    toolCallId,
    toolName,
    output: { type: 'text' as const, value: 'text' },
  }));
  return [{ role: 'tool', content: results }];
}

/** A value as a store gives it back: `jsonb` of Postgres sorts keys by length. */
export function stored<Value>(value: Value): Value {
  return sorted(storableJson(value)) as Value;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** The members beside role, content and calls of each answer in the last request, as they stood on the wire. */
export function replayedIn(requests: readonly WireRequest[]): string[] {
  return answersIn(requests.at(-1)?.body ?? {}).map(({ role: _, content: __, tool_calls: ___, ...own }) =>
    JSON.stringify(own),
  );
}
