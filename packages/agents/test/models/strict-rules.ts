import { type Answer, answersIn, type StrictRule } from './strict-chat.ts';

const NINE = /^[a-zA-Z0-9]{9}$/;
const hasCalls = ({ tool_calls }: Answer) => (tool_calls?.length ?? 0) > 0;
const refused = (message: string, status = 400) => ({
  status,
  body: { error: { message, type: 'invalid_request_error' } },
});
const google = (message: string) => ({
  status: 400,
  body: [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }],
});

/** What servers refuse, in their own words. */
export const strictRules = {
  deepseek: {
    source: 'https://api-docs.deepseek.com/guides/thinking_mode (2026-11-29), words of Gitlawb/openclaude issue 878',
    refuses(body) {
      const isLacking = answersIn(body).some((one) => hasCalls(one) && typeof one.reasoning_content !== 'string');
      return isLacking ? refused('The `reasoning_content` in the thinking mode must be passed back to the API.') : null;
    },
  },
  kimi: {
    source: 'MoonshotAI/kimi-agent-sdk issue 169, anomalyco/opencode issue 16318 (2026-11-29)',
    refuses(body) {
      const at = answersIn(body).findIndex((one) => hasCalls(one) && typeof one.reasoning_content !== 'string');
      const why = `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`;
      return at === -1 ? null : refused(why);
    },
  },
  groq: {
    source: 'SimonSchubert/Kai issue 265, karthink/gptel issue 774 (2026-11-29)',
    refuses(body) {
      const names = answersIn(body)
        .flatMap(Object.keys)
        .filter((name) => !['role', 'content', 'tool_calls', 'name'].includes(name));
      const [name] = names;
      const why = `'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property '${name}' is unsupported)]`;
      return name === undefined ? null : refused(why);
    },
  },
  cerebras: {
    source: 'Kilo-Org/kilocode issue 10375: the error has no wrapper (2026-11-29)',
    refuses(body) {
      const name = answersIn(body)
        .flatMap(Object.keys)
        .find((one) => /^reasoning/.test(one));
      const where = `messages.2.assistant.${name}`;
      const message = `${where}: property '${where}' is unsupported`;
      const error = { message, type: 'invalid_request_error', param: 'validation_error', code: 'wrong_api_format' };
      return name === undefined ? null : { status: 400, body: error };
    },
  },
  gemini: {
    source: 'TokenRhythm/opensquilla issue 225 (2026-11-29)',
    refuses(body) {
      const isLacking = answersIn(body).some(
        (one) =>
          hasCalls(one) && !JSON.stringify(one.tool_calls?.[0]?.extra_content ?? '').includes('"thought_signature"'),
      );
      return isLacking ? google('Function call is missing a thought_signature in functionCall parts.') : null;
    },
  },
  mistral: {
    source: 'openai/openai-agents-python issue 442, nearai/ironclaw issue 1241 (2026-11-29)',
    refuses(body) {
      if ('stream_options' in body)
        return {
          status: 422,
          body: {
            object: 'error',
            message: {
              detail: [
                {
                  type: 'extra_forbidden',
                  loc: ['body', 'stream_options', 'include_usage'],
                  msg: 'Extra inputs are not permitted',
                  input: true,
                },
              ],
            },
            type: 'invalid_request_error',
          },
        };
      const id = answersIn(body)
        .flatMap((one) => one.tool_calls ?? [])
        .find((call) => !NINE.test(String(call.id)))?.id;
      const message = `Tool call id was ${String(id)} but must be a-z, A-Z, 0-9, with a length of 9.`;
      return id === undefined
        ? null
        : { status: 400, body: { object: 'error', message, type: 'invalid_function_call', code: '3280' } };
    },
  },
  contentText: {
    source: 'mistralai/mistral-common issue 324 (2026-11-29)',
    refuses: (body) =>
      answersIn(body).some(({ content }) => content === null)
        ? refused("Invalid value for 'content': expected a string, got null.")
        : null,
  },
  streamOptions: {
    source: 'openai/openai-python issue 2296 (2026-11-29)',
    refuses: (body) =>
      'stream_options' in body
        ? refused('Validation error at #/stream_options: Extra inputs are not permitted', 422)
        : null,
  },
  parallelCalls: {
    source: 'evalstate/fast-agent issue 279 (2026-11-29)',
    refuses: (body) =>
      'parallel_tool_calls' in body
        ? refused("Unsupported parameter: 'parallel_tool_calls' is not supported with this model.")
        : null,
  },
  temperature: {
    source: 'the form of the refusal in Kilo-Org/cloud pull request 3807 (2026-11-29)',
    refuses: (body) =>
      'temperature' in body
        ? refused(
            "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
          )
        : null,
  },
  efforts: {
    source: 'Kilo-Org/cloud pull request 3807 (2026-11-29)',
    refuses: ({ reasoning_effort: effort }) =>
      effort === undefined || ['minimal', 'low', 'medium', 'high'].includes(String(effort))
        ? null
        : refused(
            `Unsupported value: 'reasoning_effort' does not support '${String(effort)}' with this model. Supported values are: 'minimal', 'low', 'medium', and 'high'.`,
          ),
  },
  noEffort: {
    source: 'CherryHQ/cherry-studio issue 1099 (2026-11-29)',
    refuses: (body) =>
      'reasoning_effort' in body
        ? refused("property 'reasoning_effort' is unsupported, did you mean 'reasoning_format'?")
        : null,
  },
  geminiSchema: {
    source: 'zed-extensions/mcp-server-brave-search issue 12 (2026-11-29)',
    refuses: ({ tools }) =>
      JSON.stringify(tools ?? []).includes('"maximum"')
        ? google(
            'Invalid JSON payload received. Unknown name "maximum" at \'tools[0].function_declarations[5].parameters.properties[8].value\': Cannot find field.',
          )
        : null,
  },
} as const satisfies Record<string, StrictRule>;

/** A server that takes everything. */
export const lenient: StrictRule = { source: 'none', refuses: () => null };
