import type { LanguageModelV4Message, LanguageModelV4StreamPart, LanguageModelV4ToolCallPart } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';
import { KEPT, type KeptMark, keptMarkOf } from '../../models/kept-mark.ts';
import { keptMembers, type Members } from './kept-members.ts';

/** The members that the SDK adds to a message or a call on the wire. */
const ON_THE_WIRE = 'openaiCompatible';

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>;

/**
 * Keeps what a server sends with an answer beside what the API defines (thoughts, their details, signatures of any
 * vendor), and sends it back in the same place. Messages of other makers come without such a mark.
 */
export const replayWhatWasKept: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  async transformParams({ params }) {
    const prompt = params.prompt.map((message) => (message.role === 'assistant' ? givenBack(message) : message));
    return { ...params, prompt, includeRawChunks: true };
  },
  async wrapStream({ doStream }) {
    const { stream, ...rest } = await doStream();
    return { ...rest, stream: stream.pipeThrough(keeping()) };
  },
};

/** Calls are held until the end, because a server may sign one after it is complete. */
function keeping(): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const members = keptMembers();
  const order: string[] = [];
  const calls: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>[] = [];
  const letGo = (controller: TransformStreamDefaultController<LanguageModelV4StreamPart>): KeptMark => {
    const { thoughts, message, call } = members.end();
    for (const one of calls.splice(0)) {
      const kept = call(one.toolCallId, order.indexOf(one.toolCallId));
      controller.enqueue(
        kept === null ? one : { ...one, providerMetadata: { ...one.providerMetadata, [KEPT]: { kept } } },
      );
    }
    return { ...(thoughts.length > 0 && { thoughts: [...thoughts] }), ...(message !== null && { kept: message }) };
  };
  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'raw') members.add(part.rawValue);
      if (part.type === 'tool-input-start') order.push(part.id);
      if (part.type === 'tool-call') calls.push(part);
      else if (part.type !== 'finish') controller.enqueue(part);
      else {
        const mark = { ...part.providerMetadata?.[KEPT], ...letGo(controller) };
        controller.enqueue({ ...part, providerMetadata: { ...part.providerMetadata, [KEPT]: mark } });
      }
    },
    flush: (controller) => void letGo(controller),
  });
}

function givenBack(message: AssistantMessage): AssistantMessage {
  const content = message.content.map((part) => (part.type === 'tool-call' ? givenBackCall(part) : part));
  const { kept, thoughts = [] } = keptMarkOf(message.providerOptions) ?? {};
  const members = parsed(kept);
  if (thoughts.length === 0 && members === null) return { ...message, content };
  const text = content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  const asReceived = Object.fromEntries(thoughts.map((field) => [field, text]));
  return {
    ...message,
    content: content.filter(({ type }) => type !== 'reasoning'),
    providerOptions: { ...message.providerOptions, [ON_THE_WIRE]: { ...asReceived, ...members } as never },
  };
}

function givenBackCall(part: LanguageModelV4ToolCallPart): LanguageModelV4ToolCallPart {
  const members = parsed(keptMarkOf(part.providerOptions)?.kept);
  if (members === null) return part;
  // The SDK's own copy of a signature is left out: it knows one vendor's name for it only.
  const { compatible: _, google: __, ...others } = part.providerOptions ?? {};
  return { ...part, providerOptions: { ...others, [ON_THE_WIRE]: withFunction(members) as never } };
}

/** The name under which members of a call's function travel to the body: under their own they would replace it. */
export const OF_FUNCTION = 'kept_of_function';

function withFunction({ function: ofFunction, ...members }: Members): Members {
  return ofFunction === undefined ? members : { ...members, [OF_FUNCTION]: ofFunction };
}

function parsed(kept: string | undefined): Members | null {
  return kept === undefined ? null : (JSON.parse(kept) as Members);
}
