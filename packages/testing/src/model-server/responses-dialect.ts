// OpenAI's Responses API: an answer is a list of items, and a thought is one of them with encrypted content.
import {
  type Conversation,
  type Dialect,
  type Json,
  piecesOf,
  type Replayed,
  signatureFor,
  type Written,
} from './wire-server.ts';

export const itemsOf = (body: Json): Json[] =>
  typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input;

const textIn = (content: unknown): string =>
  typeof content === 'string' ? content : ((content ?? []) as Json[]).map((part) => String(part.text ?? '')).join('');

function conversationOf(body: Json): Conversation {
  const items = itemsOf(body);
  const textsOf = (role: string) => items.filter((item) => item.role === role).map(({ content }) => textIn(content));
  return {
    system: [body.instructions ?? '', ...textsOf('system'), ...textsOf('developer')].join('\n'),
    users: textsOf('user'),
    results: items.filter(({ type }) => type === 'function_call_output').map(({ output }) => textIn(output)),
    tools: ((body.tools ?? []) as Json[]).map((tool) => String(tool.name)),
    answers: items.filter(({ type, role }) => type === 'function_call' || role === 'assistant').length,
    schema: body.text?.format?.schema,
  };
}

/** The calls of the input, each with the thought that stands before it. */
function replayed(body: Json): Replayed[] {
  const found: { callIds: string[]; thought: string | null }[] = [];
  let thought: string | null = null;
  let before = '';
  for (const item of itemsOf(body)) {
    if (item.type === 'reasoning') thought = item.encrypted_content ?? null;
    else if (item.type === 'function_call') {
      const last = found.at(-1);
      if (before === 'function_call' && last !== undefined) last.callIds.push(item.call_id);
      else found.push({ callIds: [item.call_id], thought });
    } else thought = null;
    before = item.type;
  }
  return found;
}

/**
 * The dialect of one vendor of the Responses API.
 *
 * @param statusOfThoughts the member `status` of a thought, where the vendor sends one
 */
export function responsesDialect(server: string, statusOfThoughts?: string): Dialect {
  return {
    contentType: 'text/event-stream',
    isStreamed: (body) => body.stream === true,
    conversation: conversationOf,
    replayed,
    write(turn, { body, number, tokens }): Written {
      const thought = turn.thought;
      const encrypted = thought === undefined ? '' : `gAAAAA${signatureFor(server, number, thought)}`;
      const isKept = ((body.include ?? []) as string[]).includes('reasoning.encrypted_content');
      const summary = thought !== undefined && body.reasoning?.summary ? [{ type: 'summary_text', text: thought }] : [];
      const output: Json[] = [
        ...(thought === undefined
          ? []
          : [
              {
                id: `rs_${number}`,
                type: 'reasoning',
                summary,
                ...(statusOfThoughts !== undefined && { status: statusOfThoughts }),
                encrypted_content: isKept ? encrypted : null,
              },
            ]),
        ...(turn.text
          ? [
              {
                id: `msg_${number}`,
                type: 'message',
                status: 'completed',
                role: 'assistant',
                content: [{ type: 'output_text', text: turn.text, annotations: [], logprobs: [] }],
              },
            ]
          : []),
        ...(turn.calls ?? []).map((call, index) => ({
          id: `fc_${number}x${index}`,
          type: 'function_call',
          status: 'completed',
          call_id: `call_${number}x${index}`,
          name: call.name,
          arguments: JSON.stringify(call.input),
        })),
      ];
      const response = (status: string, items: Json[]) => ({
        id: `resp_${number}`,
        object: 'response',
        created_at: 1_796_000_000,
        model: body.model,
        status,
        error: null,
        incomplete_details: null,
        output: items,
        usage:
          status === 'completed'
            ? {
                input_tokens: tokens.input,
                input_tokens_details: { cached_tokens: 0 },
                output_tokens: tokens.thinking + tokens.output,
                output_tokens_details: { reasoning_tokens: tokens.thinking },
                total_tokens: tokens.input + tokens.thinking + tokens.output,
              }
            : null,
      });
      const events = [
        { type: 'response.created', response: response('in_progress', []) },
        { type: 'response.in_progress', response: response('in_progress', []) },
        ...output.flatMap(itemEvents),
        { type: 'response.completed', response: response('completed', output) },
      ].map((event, at) => ({ ...event, sequence_number: at }));
      return {
        frames: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
        whole: response('completed', output),
        callIds: output.flatMap((item) => (item.type === 'function_call' ? [item.call_id] : [])),
        kept: thought === undefined || !isKept ? null : encrypted,
        signatures: encrypted === '' ? [] : [encrypted],
      };
    },
  };
}

function itemEvents(item: Json, at: number): Json[] {
  const added = (member: Record<string, unknown>) => ({
    type: 'response.output_item.added',
    output_index: at,
    item: { ...item, status: 'in_progress', ...member },
  });
  const done = { type: 'response.output_item.done', output_index: at, item };
  const place = { item_id: item.id, output_index: at };
  if (item.type === 'reasoning') {
    const parts = (item.summary as Json[]).flatMap((part, index) => [
      { type: 'response.reasoning_summary_part.added', ...place, summary_index: index, part: { ...part, text: '' } },
      ...piecesOf(part.text).map((piece) => ({
        type: 'response.reasoning_summary_text.delta',
        ...place,
        summary_index: index,
        delta: piece,
      })),
      { type: 'response.reasoning_summary_text.done', ...place, summary_index: index, text: part.text },
      { type: 'response.reasoning_summary_part.done', ...place, summary_index: index, part },
    ]);
    return [added({ summary: [] }), ...parts, done];
  }
  if (item.type === 'function_call') {
    return [
      added({ arguments: '' }),
      ...piecesOf(item.arguments).map((piece) => ({
        type: 'response.function_call_arguments.delta',
        ...place,
        delta: piece,
      })),
      { type: 'response.function_call_arguments.done', ...place, name: item.name, arguments: item.arguments },
      done,
    ];
  }
  const part = item.content[0];
  return [
    added({ content: [] }),
    { type: 'response.content_part.added', ...place, content_index: 0, part: { ...part, text: '' } },
    ...piecesOf(part.text).map((piece) => ({
      type: 'response.output_text.delta',
      ...place,
      content_index: 0,
      delta: piece,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...place, content_index: 0, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, content_index: 0, part },
    done,
  ];
}
