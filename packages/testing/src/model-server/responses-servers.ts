// OpenAI's Responses API and the two that imitate it: Azure OpenAI and xAI.
import { badRequest, openAiError } from './chat-rules.ts';
import { itemsOf, responsesDialect } from './responses-dialect.ts';
import { bearer, type Json, type Refusal, type Rule, type WireServer } from './wire-server.ts';
import { xaiBadKey, xaiBusy, xaiError, xaiWindow } from './xai-chat-server.ts';

const reference = { source: 'https://platform.openai.com/docs/api-reference/responses/create' };
const reasoningGuide = { source: 'https://developers.openai.com/api/docs/guides/reasoning' };

const members = [
  ...['background', 'conversation', 'context_management', 'include', 'input', 'instructions', 'max_output_tokens'],
  ...[
    'max_tool_calls',
    'metadata',
    'model',
    'parallel_tool_calls',
    'previous_response_id',
    'prompt',
    'prompt_cache_key',
  ],
  ...['prompt_cache_retention', 'reasoning', 'safety_identifier', 'service_tier', 'store', 'stream', 'stream_options'],
  ...['temperature', 'text', 'tool_choice', 'tools', 'top_logprobs', 'top_p', 'truncation', 'user'],
];

/** A call and its output stand in pairs. */
function refuseUnpairedCalls(body: Json): Refusal | null {
  const items = itemsOf(body);
  const idsOf = (type: string) => items.filter((item) => item.type === type).map(({ call_id: id }) => String(id));
  const calls = idsOf('function_call');
  const outputs = idsOf('function_call_output');
  const unasked = outputs.find((id) => !calls.includes(id));
  if (unasked !== undefined) {
    return badRequest(`No tool call found for function call output with call_id ${unasked}.`, { param: 'input' });
  }
  const open = calls.find((id) => !outputs.includes(id));
  return open === undefined ? null : badRequest(`No tool output found for function call ${open}.`, { param: 'input' });
}

const encryptedIsOwn: Rule = {
  source: 'https://github.com/openai/codex/issues/8145',
  demands: 'the encrypted content of a thought is one that was sent',
  refuse(body, memory) {
    const bad = itemsOf(body).find(
      (item) => item.type === 'reasoning' && item.encrypted_content && !memory.issued(item.encrypted_content),
    );
    if (bad === undefined) return null;
    const text = String(bad.encrypted_content);
    return badRequest(`The encrypted content ${text.slice(0, 4)}...${text.slice(-4)} could not be verified.`, {
      code: 'invalid_encrypted_content',
    });
  },
};

const itemsArePersisted: Rule = {
  source: 'https://github.com/openai/codex/issues/8145',
  wording: 'quoted',
  demands: 'without a store, no item is named that the input does not hold whole',
  refuse(body) {
    if (body.store !== false) return null;
    const bad = itemsOf(body).find(
      (item) => item.type === 'item_reference' || (item.type === 'reasoning' && !item.encrypted_content),
    );
    return bad === undefined
      ? null
      : {
          ...badRequest(
            `Item with id '${bad.id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
            { param: 'input' },
          ),
          status: 404,
        };
  },
};

const itemsStandTogether: Rule = {
  source: 'https://openai.github.io/openai-agents-python/running_agents/',
  demands: 'a thought with an id stands right before the item that it came with, and that item behind its thought',
  refuse(body, memory) {
    const items = itemsOf(body);
    for (const [at, item] of items.entries()) {
      const next = items[at + 1];
      const isFollowed = ['function_call', 'message', 'reasoning'].includes(next?.type) || next?.role === 'assistant';
      if (item.type === 'reasoning' && item.id !== undefined && !isFollowed) {
        return badRequest(`Item '${item.id}' of type 'reasoning' was provided without its required following item.`, {
          param: 'input',
        });
      }
      const own = item.type === 'function_call' ? memory.thoughtOf(item.call_id) : undefined;
      const before = items.slice(0, at).findLast(({ type }) => type !== 'function_call' && type !== 'message');
      if (typeof own === 'string' && item.id !== undefined && before?.encrypted_content !== own) {
        return badRequest(
          `Item '${item.id}' of type 'function_call' was provided without its required 'reasoning' item: 'rs_${item.id}'.`,
          { param: 'input' },
        );
      }
    }
    return null;
  },
};

/** Tools that are strict name every member as required and let no other in. */
function refuseLooseSchema(body: Json): Refusal | null {
  for (const tool of (body.tools ?? []) as Json[]) {
    if (tool.strict !== true) continue;
    const { properties = {}, required = [], additionalProperties } = tool.parameters ?? {};
    const missing = Object.keys(properties).find((name) => !required.includes(name));
    const fault =
      missing !== undefined
        ? `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
        : additionalProperties === false
          ? null
          : "'additionalProperties' is required to be supplied and to be false.";
    if (fault !== null) {
      return badRequest(`Invalid schema for function '${tool.name}': In context=(), ${fault}`, {
        param: 'tools[0].parameters',
        code: 'invalid_function_parameters',
      });
    }
  }
  return null;
}

const efforts = (model: string, values: readonly string[]): Rule => ({
  ...reasoningGuide,
  wording: 'quoted',
  demands: `\`reasoning.effort\` is one of ${values.join(', ')}`,
  refuse: (body) =>
    body.reasoning?.effort === undefined || values.includes(body.reasoning.effort)
      ? null
      : badRequest(
          `Unsupported value: '${body.reasoning.effort}' is not supported with the '${model}' model. Supported values are: ${values.map((one) => `'${one}'`).join(', ')}.`,
          { param: 'reasoning.effort', code: 'unsupported_value' },
        ),
});

const openAiRules: readonly Rule[] = [
  {
    ...reference,
    wording: 'quoted',
    demands: `a request has only these members: ${members.join(', ')}`,
    refuse(body) {
      const name = Object.keys(body).find((one) => !members.includes(one));
      return name === undefined
        ? null
        : badRequest(`Unknown parameter: '${name}'.`, { param: name, code: 'unknown_parameter' });
    },
  },
  {
    source: 'https://github.com/OpenHands/software-agent-sdk/issues/1837',
    demands: 'a model that reasons takes no `temperature` and no `top_p`',
    refuse(body) {
      const name = ['temperature', 'top_p'].find((one) => body[one] !== undefined);
      return name === undefined
        ? null
        : badRequest(`Unsupported parameter: '${name}' is not supported with this model.`, { param: name });
    },
  },
  {
    ...reference,
    wording: 'quoted',
    demands: '`max_output_tokens` is at least 16',
    refuse: (body) =>
      body.max_output_tokens === undefined || body.max_output_tokens >= 16
        ? null
        : badRequest(
            `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${body.max_output_tokens} instead.`,
            { param: 'max_output_tokens', code: 'integer_below_min_value' },
          ),
  },
  itemsArePersisted,
  encryptedIsOwn,
  itemsStandTogether,
  { ...reference, wording: 'quoted', demands: 'a call and its output stand in pairs', refuse: refuseUnpairedCalls },
  {
    source: 'https://platform.openai.com/docs/guides/structured-outputs',
    wording: 'quoted',
    demands: 'a strict tool requires every member and lets no other in',
    refuse: refuseLooseSchema,
  },
];

const thinks = (body: Json) => body.reasoning?.effort !== undefined && body.reasoning.effort !== 'none';

export const openAi: WireServer = {
  name: 'openai',
  maker: 'OpenAI',
  model: 'gpt-5.4',
  path: /\/responses$/,
  dialect: responsesDialect('openai'),
  thinks: { ...reasoningGuide, when: thinks },
  thoughtsBack: { ...reasoningGuide, are: 'expected' },
  rules: [...openAiRules, efforts('gpt-5.4', ['none', 'low', 'medium', 'high', 'xhigh'])],
  window: {
    ...reference,
    wording: 'quoted',
    tokens: 1_050_000,
    holdsAnswer: false,
    refuse: () =>
      badRequest('Your input exceeds the context window of this model. Please adjust your input and try again.', {
        param: 'input',
        code: 'context_length_exceeded',
      }),
  },
  busy: {
    source: 'https://platform.openai.com/docs/guides/error-codes',
    wording: 'assumed',
    status: 503,
    type: 'service_unavailable_error',
    code: 'server_is_overloaded',
    message: 'Our servers are currently overloaded. Please try again later.',
  },
  badKey: {
    source: 'https://platform.openai.com/docs/guides/error-codes',
    wording: 'quoted',
    status: 401,
    code: 'invalid_api_key',
    message:
      'Incorrect API key provided: sk-0000. You can find your API key at https://platform.openai.com/account/api-keys.',
  },
  keyOf: bearer,
  errorBody: openAiError,
};

export const azure: WireServer = {
  ...openAi,
  name: 'azure',
  maker: 'Microsoft',
  path: /\/openai\/(?:v1|deployments\/[^/]+)\/responses$/,
  dialect: responsesDialect('azure'),
  busy: {
    source: 'https://www.developersdigest.tech/errors/api/azure-openai',
    wording: 'assumed',
    status: 429,
    code: 'NoCapacity',
    type: 'too_many_requests',
    message:
      'The system is currently experiencing high demand and cannot process your request. Your request exceeds the maximum usage size allowed during peak load.',
  },
  badKey: {
    source: 'https://www.developersdigest.tech/errors/api/azure-openai',
    wording: 'assumed',
    status: 401,
    code: '401',
    message:
      'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.',
  },
  keyOf: (headers) => (headers['api-key'] === undefined ? bearer(headers) : String(headers['api-key'])),
};

const xaiPractices = { source: 'https://docs.x.ai/developers/model-capabilities/text/best-practices.md' };

export const xai: WireServer = {
  name: 'xai',
  maker: 'xAI',
  model: 'grok-4.6',
  path: /\/responses$/,
  dialect: responsesDialect('xai', 'completed'),
  thinks: { source: 'https://github.com/mnfst/modelparams.dev/pull/330', when: () => true },
  thoughtsBack: {
    source: 'https://docs.x.ai/developers/advanced-api-usage/troubleshooting-reasoning',
    are: 'expected',
  },
  rules: [
    {
      source: 'https://github.com/can1357/oh-my-pi/pull/7454',
      wording: 'assumed',
      demands: 'no `reasoning.summary`',
      refuse: (body) =>
        body.reasoning?.summary === undefined
          ? null
          : { status: 400, message: 'Argument not supported: reasoning.summary' },
    },
    {
      source: 'https://docs.x.ai/docs/guides/reasoning',
      demands: 'no penalties and no stop words',
      refuse(body) {
        const name = ['presence_penalty', 'frequency_penalty', 'stop'].find((one) => body[one] !== undefined);
        return name === undefined ? null : { status: 400, message: `Argument not supported on this model: ${name}` };
      },
    },
    {
      source: 'https://github.com/mnfst/modelparams.dev/pull/330',
      wording: 'assumed',
      demands: '`reasoning.effort` is low, medium, high or xhigh',
      refuse: (body) =>
        [undefined, 'low', 'medium', 'high', 'xhigh'].includes(body.reasoning?.effort)
          ? null
          : { status: 400, message: `Invalid reasoning effort: ${body.reasoning.effort}` },
    },
    { ...encryptedIsOwn, ...xaiPractices, wording: 'assumed' },
    {
      ...xaiPractices,
      wording: 'assumed',
      demands: 'a call and its output stand in pairs',
      refuse: refuseUnpairedCalls,
    },
  ],
  window: xaiWindow,
  busy: xaiBusy,
  badKey: xaiBadKey,
  keyOf: bearer,
  errorBody: xaiError,
};
