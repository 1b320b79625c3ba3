// Google's generateContent, at the Gemini API and at Vertex AI.
import {
  bearer,
  type Conversation,
  type Dialect,
  type Json,
  type Memory,
  piecesOf,
  type Refusal,
  type Replayed,
  type Rule,
  signatureFor,
  type WireServer,
  type Written,
} from './wire-server.ts';

const signatures = { source: 'https://ai.google.dev/gemini-api/docs/thought-signatures' };
const reference = { source: 'https://ai.google.dev/api/generate-content' };
const discovery = { source: 'https://generativelanguage.googleapis.com/$discovery/rest?version=v1beta' };

const invalid = (message: string): Refusal => ({ status: 400, message, type: 'INVALID_ARGUMENT' });
const partsOf = (content: Json): Json[] => content.parts ?? [];
const textsIn = (parts: readonly Json[]) =>
  parts.map((part) => (part.thought === true ? '' : String(part.text ?? ''))).join('');
const signatureIn = (part: Json) => part.thoughtSignature ?? part.thought_signature;
/** What the vendor's page lets stand for a signature on calls of another maker's model. */
const placeholders = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

function geminiDialect(server: string): Dialect {
  return {
    contentType: 'text/event-stream',
    isStreamed: (_body, path) => path.endsWith(':streamGenerateContent'),
    conversation(body): Conversation {
      const contents = body.contents as Json[];
      const users = contents.filter(({ role }) => role === 'user');
      return {
        system: textsIn(partsOf(body.systemInstruction ?? {})),
        users: users.map((content) => textsIn(partsOf(content))).filter((text) => text !== ''),
        results: contents
          .flatMap(partsOf)
          .flatMap(({ functionResponse: one }) =>
            one === undefined
              ? []
              : [typeof one.response?.content === 'string' ? one.response.content : JSON.stringify(one.response)],
          ),
        tools: ((body.tools ?? []) as Json[]).flatMap((tool) =>
          ((tool.functionDeclarations ?? []) as Json[]).map(({ name }) => String(name)),
        ),
        answers: contents.filter(({ role }) => role === 'model').length,
        schema: body.generationConfig?.responseSchema ?? body.generationConfig?.responseJsonSchema,
      };
    },
    // The API knows a call by its signature: an id is not part of every request.
    replayed: (body) =>
      (body.contents as Json[])
        .filter(({ role }) => role === 'model')
        .map((content): Replayed => {
          const call = partsOf(content).find(({ functionCall }) => functionCall !== undefined);
          const signature = call === undefined ? undefined : signatureIn(call);
          const isOwn = typeof signature === 'string' && !placeholders.includes(signature);
          return { callIds: call === undefined ? [] : [signature ?? 'unsigned'], thought: isOwn ? signature : null };
        }),
    write(turn, { body, number, tokens }): Written {
      const { thought } = turn;
      const signature = signatureFor(server, number, thought ?? '');
      const shows = body.generationConfig?.thinkingConfig?.includeThoughts === true;
      const calls = (turn.calls ?? []).map((call, index) => ({
        functionCall: { id: `fc${number}x${index}`, name: call.name, args: call.input },
        ...(index === 0 && { thoughtSignature: signature }),
      }));
      const parts: Json[] = [
        ...(thought !== undefined && shows ? piecesOf(thought).map((text) => ({ text, thought: true })) : []),
        ...(turn.text ? piecesOf(turn.text).map((text) => ({ text })) : []),
        ...calls,
        ...(calls.length === 0 ? [{ text: '', thoughtSignature: signature }] : []),
      ];
      const usageMetadata = {
        promptTokenCount: tokens.input,
        candidatesTokenCount: tokens.output,
        thoughtsTokenCount: tokens.thinking,
        totalTokenCount: tokens.input + tokens.thinking + tokens.output,
      };
      const chunk = (some: Json[], finishReason?: string) => ({
        candidates: [{ content: { role: 'model', parts: some }, ...(finishReason && { finishReason }), index: 0 }],
        usageMetadata,
        modelVersion: 'gemini-3.1-pro',
        responseId: `resp${number}`,
      });
      return {
        frames: parts.map(
          (part, at) => `data: ${JSON.stringify(chunk([part], at === parts.length - 1 ? 'STOP' : undefined))}\r\n\r\n`,
        ),
        whole: chunk(parts, 'STOP'),
        callIds: calls.length > 0 ? [signature] : [],
        kept: signature,
        signatures: [signature],
      };
    },
  };
}

const unknownName = (name: string, at: string) =>
  invalid(`Invalid JSON payload received. Unknown name "${name}"${at === '' ? '' : ` at '${at}'`}: Cannot find field.`);

const members: Readonly<Record<string, readonly string[]>> = {
  '': [
    ...['contents', 'systemInstruction', 'tools', 'toolConfig', 'safetySettings', 'generationConfig', 'cachedContent'],
    ...['model', 'labels', 'serviceTier', 'store'],
  ],
  generationConfig: [
    ...['temperature', 'topP', 'topK', 'candidateCount', 'maxOutputTokens', 'stopSequences', 'responseMimeType'],
    ...['responseSchema', 'responseJsonSchema', '_responseJsonSchema', 'presencePenalty', 'frequencyPenalty', 'seed'],
    ...['responseLogprobs', 'logprobs', 'thinkingConfig', 'mediaResolution', 'speechConfig', 'imageConfig'],
    ...['responseModalities', 'enableEnhancedCivicAnswers', 'audioTimestamp', 'routingConfig'],
  ],
  'generationConfig.thinkingConfig': ['includeThoughts', 'thinkingBudget', 'thinkingLevel'],
};

const schemaMembers = [
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'maxItems', 'minItems', 'properties', 'required'],
  ...['minProperties', 'maxProperties', 'minLength', 'maxLength', 'pattern', 'example', 'anyOf', 'propertyOrdering'],
  ...['default', 'items', 'minimum', 'maximum'],
];

/** The first member of a schema that Google's own form of schemas does not have. */
function strangeMember(schema: Json): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const own = Object.keys(schema).find((name) => !schemaMembers.includes(name));
  if (own !== undefined) return own;
  const inner = [...Object.values(schema.properties ?? {}), schema.items, ...(schema.anyOf ?? [])];
  return inner.map(strangeMember).find((name) => name !== undefined);
}

/** In the current turn, the first call of each step carries the signature that it came with. */
function refuseUnsigned(body: Json, memory: Memory): Refusal | null {
  const contents = body.contents as Json[];
  const isUserText = (content: Json) =>
    content.role === 'user' && partsOf(content).some(({ functionResponse }) => functionResponse === undefined);
  const start = contents.findLastIndex(isUserText);
  for (const [at, content] of contents.entries()) {
    if (at <= start || content.role !== 'model') continue;
    const first = partsOf(content).find(({ functionCall }) => functionCall !== undefined);
    if (first === undefined) continue;
    const signature = signatureIn(first);
    if (signature === undefined) {
      return invalid(
        `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${first.functionCall.name}\` , position ${at + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
      );
    }
    if (!placeholders.includes(signature) && !memory.issued(signature)) return invalid('Corrupted thought signature.');
  }
  return null;
}

function refuseUnpairedCalls(body: Json): Refusal | null {
  const contents = body.contents as Json[];
  for (const [at, content] of contents.entries()) {
    const calls = partsOf(content).filter(({ functionCall }) => functionCall !== undefined).length;
    if (calls === 0) continue;
    const answers = partsOf(contents[at + 1] ?? {}).filter(({ functionResponse }) => functionResponse !== undefined);
    if (answers.length !== calls) {
      return invalid(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    }
  }
  return null;
}

const rules: readonly Rule[] = [
  {
    ...discovery,
    demands: 'a request has only the members of the discovery document',
    refuse(body) {
      for (const [at, known] of Object.entries(members)) {
        const value = at === '' ? body : at.split('.').reduce<Json>((one, name) => one?.[name], body);
        const name = Object.keys(value ?? {}).find((one) => !known.includes(one));
        if (name !== undefined) return unknownName(name, at.replace(/(?=[A-Z])/g, '_').toLowerCase());
      }
      return null;
    },
  },
  {
    ...discovery,
    demands: 'parameters of a function are in the form of Schema',
    refuse(body) {
      const functions = ((body.tools ?? []) as Json[]).flatMap((tool) => (tool.functionDeclarations ?? []) as Json[]);
      const name = functions.map(({ parameters }) => strangeMember(parameters)).find((one) => one !== undefined);
      return name === undefined ? null : unknownName(name, 'tools[0].function_declarations[0].parameters');
    },
  },
  {
    ...signatures,
    wording: 'quoted',
    demands: 'one of a level and a budget of thinking',
    refuse(body) {
      const config = body.generationConfig?.thinkingConfig;
      return config?.thinkingLevel !== undefined && config?.thinkingBudget !== undefined
        ? invalid('You can only set only one of thinking budget and thinking level.')
        : null;
    },
  },
  {
    ...reference,
    wording: 'assumed',
    demands: '`thinkingLevel` is minimal, low, medium or high',
    refuse(body) {
      const level = body.generationConfig?.thinkingConfig?.thinkingLevel;
      return level === undefined || ['minimal', 'low', 'medium', 'high'].includes(String(level).toLowerCase())
        ? null
        : invalid(
            `Invalid value at 'generation_config.thinking_config.thinking_level' (type.googleapis.com/google.ai.generativelanguage.v1beta.ThinkingConfig.ThinkingLevel), "${level}"`,
          );
    },
  },
  {
    ...signatures,
    demands: 'in the current turn, the first call of each step carries its signature',
    refuse: refuseUnsigned,
  },
  {
    ...reference,
    wording: 'quoted',
    demands: 'each call has its response in the next content',
    refuse: refuseUnpairedCalls,
  },
];

const googleError = ({ status, message, type, more }: Refusal) => ({
  error: { code: status, message, status: type ?? 'INVALID_ARGUMENT', ...more },
});

export const google: WireServer = {
  name: 'google',
  maker: 'Google',
  model: 'gemini-3.1-pro-preview',
  path: /\/models\/[^/]+:(?:stream)?[gG]enerateContent$/,
  dialect: geminiDialect('google'),
  thinks: { ...reference, when: () => true },
  thoughtsBack: { ...signatures, are: 'required' },
  rules,
  window: {
    ...reference,
    wording: 'quoted',
    tokens: 1_048_576,
    holdsAnswer: false,
    refuse: (tokens, window) =>
      invalid(`The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`),
  },
  busy: {
    source: 'https://ai.google.dev/gemini-api/docs/troubleshooting',
    wording: 'assumed',
    status: 503,
    type: 'UNAVAILABLE',
    message: 'The model is overloaded. Please try again later.',
  },
  badKey: {
    source: 'https://ai.google.dev/gemini-api/docs/troubleshooting',
    wording: 'assumed',
    status: 400,
    message: 'API key not valid. Please pass a valid API key.',
    more: {
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'API_KEY_INVALID',
          domain: 'googleapis.com',
          metadata: { service: 'generativelanguage.googleapis.com' },
        },
      ],
    },
  },
  keyOf: (headers, url) => {
    const key = headers['x-goog-api-key'] ?? url.searchParams.get('key');
    return key === null ? undefined : String(key);
  },
  errorBody: googleError,
};

export const vertex: WireServer = {
  ...google,
  name: 'vertex',
  path: /\/publishers\/google\/models\/[^/]+:(?:stream)?[gG]enerateContent$/,
  dialect: geminiDialect('vertex'),
  badKey: {
    source: 'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/api-errors',
    wording: 'assumed',
    status: 401,
    type: 'UNAUTHENTICATED',
    message:
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  },
  keyOf: (headers, url) => bearer(headers) ?? google.keyOf(headers, url),
  // In a stream, Vertex wraps its errors into a list.
  errorBody: (refusal) => [googleError(refusal)],
};
