import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveOnLoopback } from '@sluice/testing';
import { type ChatBody, chatBody, promptText, sharedPrefix } from './prompt-text.ts';

/** A request as a script sees it. */
export interface ScriptedRequest {
  /** The text of the instructions: they tell the roles apart. */
  readonly system: string;
  /** How often the model has answered in this conversation. */
  readonly turn: number;
  /** The names of the tools that it is offered. */
  readonly tools: readonly string[];
  /** All that it was given besides its instructions, oldest first. */
  readonly texts: readonly string[];
}

export interface ScriptedAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: object }[];
}

/** What the model says, from the request alone: the same request always gets the same answer. */
export type Script = (request: ScriptedRequest) => ScriptedAnswer;

/** A request that was answered, measured. Tokens are characters divided by four. */
export interface MeasuredRequest {
  /** The first words of the instructions. */
  readonly conversation: string;
  readonly turn: number;
  readonly inputTokens: number;
  /** The part of the input that begins an earlier request too, which vendors' caches hold. */
  readonly cacheableTokens: number;
  readonly outputTokens: number;
  readonly body: ChatBody;
}

export interface ScriptedEndpoint extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly url: string;
  /** All requests so far, in order. */
  readonly requests: readonly MeasuredRequest[];
}

const CHARACTERS_PER_TOKEN = 4;

/**
 * A model server on the wire of OpenAI's chat completions, whose answers come from a script. It measures each request, and
 * reports what it measured as the usage.
 */
export async function startScriptedEndpoint(script: Script): Promise<ScriptedEndpoint> {
  const requests: MeasuredRequest[] = [];
  const prompts: string[] = [];

  const answer = (body: ChatBody, response: ServerResponse) => {
    const said = script(readRequest(body));
    const prompt = promptText(body);
    const output = [said.text ?? '', ...(said.calls ?? []).map(({ tool, input }) => tool + JSON.stringify(input))];
    const measured = {
      conversation: systemOf(body).slice(0, 24),
      turn: turnOf(body),
      inputTokens: tokensIn(prompt.length),
      cacheableTokens: tokensIn(Math.max(0, ...prompts.map((earlier) => sharedPrefix(earlier, prompt)))),
      outputTokens: tokensIn(output.join('').length),
      body,
    };
    prompts.push(prompt);
    requests.push(measured);
    send(response, body.stream === true, completion(said, measured, requests.length));
  };

  const server = await serveOnLoopback((incoming, response) => {
    readBody(incoming).then(
      (body) => answer(body, response),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
      },
    );
  });
  return { url: `${server.origin}/v1`, requests, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function readBody(incoming: IncomingMessage): Promise<ChatBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  if (incoming.url?.endsWith('/chat/completions') !== true) throw new Error(`no such address: ${incoming.url}`);
  return chatBody.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
}

function readRequest(body: ChatBody): ScriptedRequest {
  return {
    system: systemOf(body),
    turn: turnOf(body),
    tools: (body.tools ?? []).map((tool) => tool.function.name),
    texts: body.messages.filter(({ role }) => role === 'user' || role === 'tool').map(({ content }) => textOf(content)),
  };
}

function systemOf({ messages }: ChatBody): string {
  return messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => textOf(content))
    .join('\n');
}

function turnOf({ messages }: ChatBody): number {
  return messages.filter(({ role }) => role === 'assistant').length;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('');
}

/** The tokens that so many characters are taken for. */
export function tokensIn(characters: number): number {
  return Math.round(characters / CHARACTERS_PER_TOKEN);
}

interface Completion {
  readonly message: Record<string, unknown>;
  readonly finish: string;
  readonly usage: Record<string, unknown>;
}

function completion({ text, calls = [] }: ScriptedAnswer, measured: MeasuredRequest, count: number): Completion {
  const toolCalls = calls.map(({ tool, input }, index) => ({
    index,
    id: `call_${count}_${index}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(input) },
  }));
  return {
    message: {
      role: 'assistant',
      ...(text !== undefined && { content: text }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    },
    finish: toolCalls.length > 0 ? 'tool_calls' : 'stop',
    usage: {
      prompt_tokens: measured.inputTokens,
      completion_tokens: measured.outputTokens,
      total_tokens: measured.inputTokens + measured.outputTokens,
      prompt_tokens_details: { cached_tokens: measured.cacheableTokens },
    },
  };
}

function send(response: ServerResponse, isStream: boolean, { message, finish, usage }: Completion): void {
  const facts = { id: 'scripted', created: 0, model: 'scripted' };
  if (!isStream) {
    const choices = [{ index: 0, message, finish_reason: finish }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...facts, object: 'chat.completion', choices, usage }));
    return;
  }
  const chunk = (delta: object, reason: string | null) =>
    JSON.stringify({
      ...facts,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
      ...(reason !== null && { usage }),
    });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${chunk(message, null)}\n\ndata: ${chunk({}, finish)}\n\ndata: [DONE]\n\n`);
}
