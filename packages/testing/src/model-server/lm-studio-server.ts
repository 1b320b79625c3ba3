import { chatDialect, chatPath } from './chat-dialect.ts';
import { openAiUsage } from './chat-rules.ts';
import { bearer, type WireServer } from './wire-server.ts';

const lmStudioPage = { source: 'https://lmstudio.ai/docs/developer/openai-compat/chat-completions' };

export const lmStudio: WireServer = {
  name: 'lmstudio',
  maker: 'LM Studio',
  model: 'openai/gpt-oss-20b',
  path: chatPath,
  dialect: chatDialect({
    server: 'lmstudio',
    place: () => 'reasoning',
    calls: 'pieces',
    usage: 'asked',
    callId: (number, index) => `${300_000_000 + number * 10 + index}`,
    usageOf: openAiUsage,
  }),
  thinks: { ...lmStudioPage, when: (body) => body.reasoning_effort !== 'none' },
  thoughtsBack: { ...lmStudioPage, are: 'ignored' },
  rules: [
    {
      ...lmStudioPage,
      demands: '`tool_choice` is a word',
      refuse: (body) =>
        typeof body.tool_choice === 'object' && body.tool_choice !== null
          ? {
              status: 400,
              message: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
            }
          : null,
    },
    {
      ...lmStudioPage,
      demands: '`response_format` is a schema or a text',
      refuse: (body) =>
        body.response_format?.type === 'json_object'
          ? { status: 400, message: "'response_format.type' must be 'json_schema' or 'text'" }
          : null,
    },
  ],
  window: {
    wording: 'quoted',
    source: 'https://lmstudio.ai/docs/developer/openai-compat/chat-completions',
    tokens: 32_768,
    holdsAnswer: false,
    refuse: (tokens, window) => ({
      status: 400,
      message: `The number of tokens to keep from the initial prompt is greater than the context length (n_keep: ${tokens} >= n_ctx: ${window}). Try to load the model with a larger context length, or provide a shorter input.`,
    }),
  },
  busy: { wording: 'assumed', ...lmStudioPage, status: 503, message: 'Model is loading' },
  badKey: {
    wording: 'assumed',
    ...lmStudioPage,
    status: 401,
    message: 'Malformed LM Studio API token provided',
  },
  keyOf: bearer,
  errorBody: ({ message }) => ({ error: message }),
};
