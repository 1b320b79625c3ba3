import { chatDialect, chatPath } from './chat-dialect.ts';
import { callsAreAnswered, oneOf, openAiUsage } from './chat-rules.ts';
import { bearer, type WireServer } from './wire-server.ts';

const miniMaxPage = { source: 'https://platform.minimax.io/docs/api-reference/text-openai-api' };
const miniMaxReference = { source: 'https://platform.minimax.io/docs/api-reference/text-chat-openai.md' };

export const miniMax: WireServer = {
  name: 'minimax',
  maker: 'MiniMax',
  model: 'MiniMax-M3',
  path: chatPath,
  dialect: chatDialect({
    server: 'minimax',
    place: (body) => (body.reasoning_split === true ? 'minimax_details' : 'think_tags'),
    calls: 'whole',
    usage: 'asked',
    callId: (number, index) => `call_function_${number}_${index}`,
    usageOf: openAiUsage,
  }),
  thinks: { ...miniMaxReference, when: (body) => body.thinking?.type !== 'disabled' },
  thoughtsBack: { ...miniMaxPage, are: 'expected' },
  rules: [
    callsAreAnswered(miniMaxReference),
    oneOf(miniMaxReference, ['thinking.type', ['adaptive', 'disabled']], () => miniMaxRefusal('thinking.type')),
  ],
  window: {
    wording: 'quoted',
    source: 'https://platform.minimax.io/docs/api-reference/errorcode',
    tokens: 1_000_000,
    holdsAnswer: false,
    refuse: () => ({ status: 400, message: 'invalid params, context window exceeds limit (2013)' }),
  },
  busy: {
    wording: 'assumed',
    source: 'https://platform.minimax.io/docs/api-reference/errorcode',
    status: 529,
    type: 'overloaded_error',
    message: 'The server cluster is currently under high load. Please retry after a short wait. (2064)',
  },
  badKey: {
    wording: 'assumed',
    source: 'https://platform.minimax.io/docs/api-reference/errorcode',
    status: 401,
    type: 'authorized_error',
    message: 'invalid api key (2049)',
  },
  keyOf: bearer,
  errorBody: ({ status, message, type }) => ({
    type: 'error',
    error: { type: type ?? 'bad_request_error', message, http_code: String(status) },
    request_id: '0642a7e8',
  }),
};

const miniMaxRefusal = (name: string) => ({ status: 400, message: `invalid params, ${name} (2013)` });
