import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';

/**
 * The same model, with an id of its own for each call of an answer, where a server repeats one or gives none: a result
 * must belong to one call. Done before the SDK sees them, so that its answers to calls which nobody could carry out
 * belong to the right ones too.
 */
export function withUniqueCallIds(model: LanguageModelV4): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      async wrapStream({ doStream }) {
        const { stream, ...rest } = await doStream();
        return { ...rest, stream: stream.pipeThrough(renaming()) };
      },
    },
  });
}

function renaming(): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const taken = new Set<string>();
  const own = (given: string): string => {
    const wanted = given || 'call';
    let id = wanted;
    for (let count = 2; taken.has(id); count += 1) id = `${wanted}_${count}`;
    taken.add(id);
    return id;
  };
  return new TransformStream({
    transform(part, controller) {
      controller.enqueue(part.type === 'tool-call' ? { ...part, toolCallId: own(part.toolCallId) } : part);
    },
  });
}
