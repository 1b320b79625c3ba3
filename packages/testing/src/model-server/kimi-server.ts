import { chatDialect, chatPath } from './chat-dialect.ts';
import { badRequest, callsAreAnswered, noForcedTool, openAiUsage, thoughtWithCalls } from './chat-rules.ts';
import { bearer, type Json, type WireServer } from './wire-server.ts';

const kimiGuide = { source: 'https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model' };
const kimiChat = { source: 'https://platform.kimi.ai/docs/api/chat.md' };
const kimiThinks = (body: Json) => body.thinking?.type !== 'disabled';

export const kimi: WireServer = {
  name: 'kimi',
  maker: 'Moonshot AI',
  model: 'kimi-k2.6',
  path: chatPath,
  dialect: chatDialect({
    server: 'kimi',
    place: () => 'reasoning_content',
    calls: 'pieces',
    usage: 'asked',
    callId: (number, index) => `read_file:${number * 10 + index}`,
    usageOf: openAiUsage,
  }),
  thinks: { ...kimiGuide, when: kimiThinks },
  thoughtsBack: { ...kimiGuide, are: 'required' },
  rules: [
    callsAreAnswered(kimiChat),
    thoughtWithCalls(
      { source: 'https://github.com/continuedev/continue/issues/11600' },
      { thinks: kimiThinks, member: 'reasoning_content' },
      (index) =>
        badRequest(
          `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`,
        ),
    ),
    {
      source: 'https://github.com/HKUDS/nanobot/issues/3939',
      demands: '`thinking` and `reasoning_effort` are not sent together',
      refuse: (body) =>
        body.thinking !== undefined && body.reasoning_effort !== undefined
          ? badRequest("cannot specify both 'thinking' and 'reasoning_effort'")
          : null,
    },
    {
      source: 'https://platform.kimi.com/docs/api/models-overview',
      demands: '`temperature` is 1 or not sent',
      refuse: (body) =>
        body.temperature === undefined || body.temperature === 1
          ? null
          : badRequest('invalid temperature: only 1 is allowed for this model'),
    },
    noForcedTool({ source: 'https://github.com/simstudioai/sim/pull/5716' }, kimiThinks, (kind) =>
      badRequest(`tool_choice '${kind}' is incompatible with thinking enabled`),
    ),
  ],
  window: {
    wording: 'quoted',
    ...kimiChat,
    tokens: 262_144,
    holdsAnswer: true,
    refuse: (tokens, window, answer) =>
      badRequest(`Invalid request: Your request exceeded model token limit: ${window} (requested: ${tokens + answer})`),
  },
  busy: {
    wording: 'assumed',
    ...kimiChat,
    status: 429,
    message: 'The engine is currently overloaded, please try again later',
    type: 'engine_overloaded_error',
  },
  badKey: {
    wording: 'assumed',
    ...kimiChat,
    status: 401,
    message: 'Invalid Authentication',
    type: 'invalid_authentication_error',
  },
  keyOf: bearer,
  errorBody: ({ message, type }) => ({ error: { message, type: type ?? 'invalid_request_error' } }),
};
