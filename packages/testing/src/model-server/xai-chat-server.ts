import { chatDialect, chatPath, usualCallId } from './chat-dialect.ts';
import { callsAreAnswered, oneOf, openAiUsage } from './chat-rules.ts';
import { bearer, type WireServer } from './wire-server.ts';

const xaiReasoning = { source: 'https://docs.x.ai/docs/guides/reasoning' };
export const xaiError = ({ message, code }: { message: string; code?: string | number | null }) => ({
  code: code ?? 'Client specified an invalid argument',
  error: message,
});

export const xaiWindow = {
  wording: 'quoted' as const,
  source: 'https://docs.x.ai/docs/models',
  tokens: 256_000,
  holdsAnswer: false,
  refuse: (tokens: number, window: number) => ({
    status: 400,
    message: `This model's maximum prompt length is ${window} but the request contains ${tokens} tokens.`,
  }),
};

export const xaiBusy = {
  wording: 'assumed' as const,
  source: 'https://docs.x.ai/docs/key-information/debugging',
  status: 503,
  code: 'The service is currently unavailable',
  message: 'The model is at capacity. Please try again later.',
};

export const xaiBadKey = {
  wording: 'quoted' as const,
  source: 'https://docs.x.ai/docs/key-information/debugging',
  status: 400,
  message: 'Incorrect API key provided: xa***00. You can obtain an API key from https://console.x.ai.',
};

export const xaiChat: WireServer = {
  name: 'xai-chat',
  maker: 'xAI',
  model: 'grok-4.3',
  path: chatPath,
  dialect: chatDialect({
    server: 'xai-chat',
    place: () => 'reasoning_content',
    calls: 'whole',
    usage: 'always',
    callId: usualCallId,
    usageOf: openAiUsage,
  }),
  thinks: { ...xaiReasoning, when: (body) => body.reasoning_effort !== 'none' },
  thoughtsBack: { ...xaiReasoning, are: 'ignored' },
  rules: [
    {
      ...xaiReasoning,
      demands: 'a model that reasons gets no penalties and no stop words',
      refuse: (body) => {
        const names = { presence_penalty: 'presencePenalty', frequency_penalty: 'frequencyPenalty', stop: 'stop' };
        const sent = Object.entries(names).find(([name]) => body[name] !== undefined);
        return sent === undefined ? null : { status: 400, message: `Argument not supported on this model: ${sent[1]}` };
      },
    },
    oneOf(
      { source: 'https://newreleases.io/project/github/vercel/ai/release/@ai-sdk%2Fxai@4.0.0-canary.61' },
      ['reasoning_effort', ['none', 'low', 'medium', 'high']],
      (value) => ({ status: 400, message: `Invalid reasoning effort: ${value}` }),
    ),
    callsAreAnswered(xaiReasoning),
  ],
  window: xaiWindow,
  busy: xaiBusy,
  badKey: xaiBadKey,
  keyOf: bearer,
  errorBody: xaiError,
};
