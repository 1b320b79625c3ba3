import { chatDialect, chatPath } from './chat-dialect.ts';
import { callsAreAnswered, oneOf, onlyMembers, onlyMessageMembers, plainMembers } from './chat-rules.ts';
import { bearer, type Json, type WireServer } from './wire-server.ts';

const mistralSdk = {
  source: 'https://github.com/mistralai/client-python/blob/main/src/mistralai/models/chatcompletionstreamrequest.py',
};
const mistralReasoning = { source: 'https://docs.mistral.ai/inference/conversations/reasoning' };
const extra = (loc: readonly unknown[], input: unknown) => ({
  status: 422,
  message: JSON.stringify([{ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted', input }]),
});

export const mistral: WireServer = {
  name: 'mistral',
  maker: 'Mistral',
  model: 'mistral-medium-3-5',
  path: chatPath,
  dialect: chatDialect({
    server: 'mistral',
    place: () => 'content_parts',
    calls: 'whole',
    usage: 'at the end',
    callId: (number, index) => `a${String(number).padStart(4, '0')}b${String(index).padStart(3, '0')}`,
    usageOf: ({ input, thinking, output }) => ({
      prompt_tokens: input,
      completion_tokens: thinking + output,
      total_tokens: input + thinking + output,
    }),
  }),
  thinks: {
    ...mistralReasoning,
    when: (body) => body.reasoning_effort !== undefined && body.reasoning_effort !== 'none',
  },
  thoughtsBack: { ...mistralReasoning, are: 'expected' },
  rules: [
    onlyMembers(
      mistralSdk,
      [
        ...plainMembers,
        ...['random_seed', 'metadata', 'n', 'prediction', 'parallel_tool_calls', 'prompt_mode', 'safe_prompt'],
        ...['reasoning_effort', 'guardrails', 'prompt_cache_key'],
      ],
      ({ name, value }) => extra(['body', name], value),
    ),
    onlyMessageMembers(
      { source: 'https://github.com/charmbracelet/crush/issues/1590' },
      {
        system: ['role', 'content'],
        user: ['role', 'content'],
        assistant: ['role', 'content', 'tool_calls', 'prefix'],
        tool: ['role', 'content', 'tool_call_id', 'name'],
      },
      ({ name, value, index, role }) => extra(['body', 'messages', index, role, name], value),
    ),
    oneOf(mistralReasoning, ['reasoning_effort', ['high', 'none']], (value) => ({
      status: 422,
      message: JSON.stringify([
        { type: 'enum', loc: ['body', 'reasoning_effort'], msg: "Input should be 'high' or 'none'", input: value },
      ]),
    })),
    {
      source: 'https://github.com/sst/opencode/issues/1680',
      demands: 'the id of a tool call has nine letters or digits',
      refuse: (body) => {
        const ids = (body.messages as Json[]).flatMap((message) => [
          ...(message.tool_calls ?? []).map((call: Json) => String(call.id)),
          ...(message.role === 'tool' ? [String(message.tool_call_id)] : []),
        ]);
        const bad = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
        return bad === undefined
          ? null
          : {
              status: 400,
              type: 'invalid_request_message_order',
              code: '3280',
              message: `Tool call id was ${bad} but must be a-z, A-Z, 0-9, with a length of 9.`,
            };
      },
    },
    {
      source: 'https://docs.mistral.ai/capabilities/function_calling',
      demands: 'the last message is of a user or a tool',
      refuse: (body) => {
        const last = (body.messages as Json[]).at(-1);
        return last.role === 'user' || last.role === 'tool' || last.prefix === true
          ? null
          : {
              status: 400,
              type: 'invalid_request_message_order',
              code: '3230',
              message: `Expected last role User or Tool (or Assistant with prefix True) for serving but got ${last.role}`,
            };
      },
    },
    callsAreAnswered(mistralSdk),
  ],
  window: {
    wording: 'quoted',
    source: 'https://docs.mistral.ai/resources/known-limitations',
    tokens: 262_144,
    holdsAnswer: true,
    refuse: (tokens, window, answer) => ({
      status: 400,
      type: 'invalid_request_prompt',
      code: '3051',
      message: `Prompt contains ${tokens} tokens and ${answer} draft tokens, too large for model with ${window} maximum context length`,
    }),
  },
  busy: {
    wording: 'assumed',
    source: 'https://docs.mistral.ai/resources/known-limitations',
    status: 503,
    type: 'unreachable_backend',
    code: '1100',
    message: 'Service unavailable.',
  },
  badKey: { wording: 'quoted', source: 'https://docs.mistral.ai/api', status: 401, message: 'Unauthorized' },
  keyOf: bearer,
  errorBody: ({ status, message, type, code }) => {
    if (status === 401) return { detail: message };
    return status === 422
      ? {
          object: 'error',
          message: { detail: JSON.parse(message) },
          type: 'invalid_request_error',
          param: null,
          code: null,
        }
      : { object: 'error', message, type: type ?? 'invalid_request_error', param: null, code: code ?? null };
  },
};
