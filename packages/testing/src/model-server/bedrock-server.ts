import { bedrockEvent } from './bedrock-event.ts';
// Amazon Bedrock's ConverseStream with a model of Anthropic, whose stream is of binary frames.
import {
  bearer,
  type Conversation,
  type Dialect,
  type Json,
  type Memory,
  piecesOf,
  type Refusal,
  type Replayed,
  signatureFor,
  type WireServer,
  type Written,
} from './wire-server.ts';

const converse = { source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html' };
const contentBlock = {
  source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html',
};
const adaptive = {
  source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html',
};
const frameForm = { source: 'https://smithy.io/2.0/aws/amazon-eventstream.html' };

const invalid = (message: string): Refusal => ({ status: 400, message, type: 'ValidationException' });
const modelSays = (message: string) => invalid(`The model returned the following errors: ${message}`);
const reasoningOf = (block: Json) => block.reasoningContent?.reasoningText;

const dialect: Dialect = {
  contentType: 'application/vnd.amazon.eventstream',
  isStreamed: (_body, path) => path.endsWith('/converse-stream'),
  conversation(body): Conversation {
    const blocks = (body.messages as Json[]).flatMap((message) =>
      (message.content as Json[]).map((block) => ({ role: message.role, block })),
    );
    return {
      system: ((body.system ?? []) as Json[]).map((one) => one.text ?? '').join('\n'),
      users: blocks
        .filter(({ role, block }) => role === 'user' && block.text !== undefined)
        .map(({ block }) => block.text),
      results: blocks.flatMap(({ block }) =>
        block.toolResult === undefined
          ? []
          : [(block.toolResult.content as Json[]).map((one) => one.text ?? JSON.stringify(one.json)).join('')],
      ),
      tools: ((body.toolConfig?.tools ?? []) as Json[]).flatMap(({ toolSpec }) =>
        toolSpec ? [String(toolSpec.name)] : [],
      ),
      answers: (body.messages as Json[]).filter(({ role }) => role === 'assistant').length,
    };
  },
  replayed: (body) =>
    (body.messages as Json[])
      .filter(({ role }) => role === 'assistant')
      .map((message): Replayed => {
        const thoughts = (message.content as Json[]).map(reasoningOf).filter((one) => one !== undefined);
        return {
          callIds: (message.content as Json[]).flatMap(({ toolUse }) => (toolUse ? [String(toolUse.toolUseId)] : [])),
          thought: thoughts.length === 0 ? null : thoughts.map((one) => `${one.text}|${one.signature}`).join('\n'),
        };
      }),
  write(turn, { number, tokens }): Written {
    const { thought } = turn;
    const signature = thought === undefined ? '' : signatureFor('bedrock', number, thought);
    const calls = (turn.calls ?? []).map((call, index) => ({ ...call, toolUseId: `tooluse_${number}x${index}` }));
    const events: [string, Json][] = [['messageStart', { role: 'assistant' }]];
    let at = 0;
    const block = (deltas: Json[], start?: Json) => {
      if (start !== undefined) events.push(['contentBlockStart', { contentBlockIndex: at, start }]);
      for (const delta of deltas) events.push(['contentBlockDelta', { contentBlockIndex: at, delta }]);
      events.push(['contentBlockStop', { contentBlockIndex: at }]);
      at += 1;
    };
    if (thought !== undefined) {
      block([
        ...piecesOf(thought).map((text) => ({ reasoningContent: { text } })),
        { reasoningContent: { signature } },
      ]);
    }
    if (turn.text) block(piecesOf(turn.text).map((text) => ({ text })));
    for (const call of calls) {
      block(
        piecesOf(JSON.stringify(call.input)).map((input) => ({ toolUse: { input } })),
        { toolUse: { toolUseId: call.toolUseId, name: call.name } },
      );
    }
    events.push(['messageStop', { stopReason: calls.length > 0 ? 'tool_use' : 'end_turn' }]);
    const usage = {
      inputTokens: tokens.input,
      outputTokens: tokens.thinking + tokens.output,
      totalTokens: tokens.input + tokens.thinking + tokens.output,
    };
    events.push(['metadata', { usage, metrics: { latencyMs: 10 } }]);
    return {
      frames: events.map(([type, payload]) => bedrockEvent(type, payload)),
      whole: {
        output: {
          message: {
            role: 'assistant',
            content: [
              ...(thought === undefined ? [] : [{ reasoningContent: { reasoningText: { text: thought, signature } } }]),
              ...(turn.text ? [{ text: turn.text }] : []),
              ...calls.map(({ toolUseId, name, input }) => ({ toolUse: { toolUseId, name, input } })),
            ],
          },
        },
        stopReason: calls.length > 0 ? 'tool_use' : 'end_turn',
        usage,
        metrics: { latencyMs: 10 },
      },
      callIds: calls.map(({ toolUseId }) => toolUseId),
      kept: thought === undefined ? null : `${thought}|${signature}`,
      signatures: signature === '' ? [] : [signature],
    };
  },
};

const members = [
  ...['messages', 'system', 'inferenceConfig', 'toolConfig', 'guardrailConfig', 'additionalModelRequestFields'],
  ...['additionalModelResponseFieldPaths', 'promptVariables', 'requestMetadata', 'performanceConfig', 'serviceTier'],
  ...['outputConfig', 'modelId'],
];

const fields = ['thinking', 'output_config', 'anthropic_beta', 'top_k', 'tool_choice', 'tools'];

function refuseForeignSignature(body: Json, memory: Memory): Refusal | null {
  for (const [index, message] of (body.messages as Json[]).entries()) {
    for (const [at, block] of (message.content as Json[]).entries()) {
      const thought = reasoningOf(block);
      if (thought === undefined) continue;
      const where = `messages.${index}.content.${at}`;
      if (thought.signature === undefined) return modelSays(`${where}.thinking.signature: Field required`);
      if (!memory.issued(thought.signature)) return modelSays(`${where}: Invalid \`signature\` in \`thinking\` block`);
    }
  }
  return null;
}

function refuseModifiedThought(body: Json, memory: Memory): Refusal | null {
  const last = (body.messages as Json[]).findLast(({ role }) => role === 'assistant');
  const call = ((last?.content ?? []) as Json[]).find(({ toolUse }) => toolUse !== undefined);
  const sent = call === undefined ? undefined : memory.thoughtOf(call.toolUse.toolUseId);
  if (typeof sent !== 'string') return null;
  const back = (last.content as Json[]).map(reasoningOf).filter((one) => one !== undefined);
  return back.map((one) => `${one.text}|${one.signature}`).join('\n') === sent
    ? null
    : modelSays(
        '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
      );
}

function refuseUnpairedCalls(body: Json): Refusal | null {
  const messages = body.messages as Json[];
  for (const [index, message] of messages.entries()) {
    const calls = (message.content as Json[]).flatMap(({ toolUse }) => (toolUse ? [toolUse.toolUseId] : []));
    const results = ((messages[index + 1]?.content ?? []) as Json[]).flatMap(
      ({ toolResult }) => toolResult?.toolUseId ?? [],
    );
    const missing = calls.filter((id) => !results.includes(id));
    if (missing.length > 0) {
      return invalid(
        `Expected toolResult blocks at messages.${index + 1}.content for the following Ids: ${missing.join(', ')}`,
      );
    }
  }
  return null;
}

export const bedrock: WireServer = {
  name: 'bedrock',
  maker: 'Amazon',
  model: 'us.anthropic.claude-sonnet-4-6',
  path: /\/model\/[^/]+\/converse(?:-stream)?$/,
  dialect,
  thinks: {
    ...adaptive,
    when: (body) => ['adaptive', 'enabled'].includes(body.additionalModelRequestFields?.thinking?.type),
  },
  thoughtsBack: { ...frameForm, ...contentBlock, are: 'required' },
  rules: [
    {
      ...converse,
      wording: 'assumed',
      demands: `a request has only these members: ${members.join(', ')}`,
      refuse(body) {
        const name = Object.keys(body).find((one) => !members.includes(one));
        return name === undefined ? null : invalid(`extraneous key [${name}] is not permitted`);
      },
    },
    {
      source: 'https://github.com/BerriAI/litellm/issues/13825',
      demands: "further fields are the model's own",
      refuse(body) {
        const name = Object.keys(body.additionalModelRequestFields ?? {}).find((one) => !fields.includes(one));
        return name === undefined ? null : modelSays(`${name}: Extra inputs are not permitted`);
      },
    },
    {
      source: 'https://github.com/smg-project/smg/pull/1472',
      demands: 'a text is not blank',
      refuse(body) {
        for (const [index, message] of (body.messages as Json[]).entries()) {
          const at = (message.content as Json[]).findIndex(({ text }) => text !== undefined && text.trim() === '');
          if (at >= 0) {
            return invalid(
              `The text field in the ContentBlock object at messages.${index}.content.${at} is blank. Add text to the text field, and try again.`,
            );
          }
        }
        return null;
      },
    },
    {
      source: 'https://docs.rs/agentd-core/1.3.2/agentd/intel/bedrock/index.html',
      wording: 'assumed',
      demands: 'messages of user and assistant alternate, from the user on',
      refuse: (body) =>
        (body.messages as Json[]).every(({ role }, index) => role === (index % 2 === 0 ? 'user' : 'assistant'))
          ? null
          : invalid(
              'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
            ),
    },
    {
      ...converse,
      wording: 'quoted',
      demands: 'tools are named wherever a message holds a call',
      refuse: (body) =>
        body.toolConfig === undefined && /"tool(?:Use|Result)"/.test(JSON.stringify(body.messages))
          ? invalid('The toolConfig field must be defined when using toolUse and toolResult content blocks.')
          : null,
    },
    {
      source: 'https://github.com/maximhq/bifrost/pull/6942',
      demands: 'the signature of a thought is one that was sent',
      refuse: refuseForeignSignature,
    },
    {
      ...contentBlock,
      demands: 'the latest answer brings back its thoughts as they were',
      refuse: refuseModifiedThought,
    },
    {
      ...converse,
      wording: 'quoted',
      demands: 'each call has its result in the next message',
      refuse: refuseUnpairedCalls,
    },
  ],
  window: {
    ...converse,
    wording: 'quoted',
    tokens: 200_000,
    holdsAnswer: false,
    refuse: () => invalid('Input is too long for requested model.'),
  },
  busy: {
    ...converse,
    wording: 'assumed',
    status: 503,
    type: 'ServiceUnavailableException',
    message: 'Bedrock is unable to process your request.',
  },
  badKey: {
    ...converse,
    wording: 'assumed',
    status: 403,
    type: 'AccessDeniedException',
    message: 'Authentication failed: Please make sure your API Key is valid.',
  },
  keyOf: (headers) => bearer(headers) ?? /Credential=([^/]+)\//.exec(String(headers.authorization ?? ''))?.[1],
  errorBody: ({ message }) => ({ message }),
};
