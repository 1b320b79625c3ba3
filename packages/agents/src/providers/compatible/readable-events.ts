import { UnreadableAnswer } from './unreadable-answer.ts';

/** A JSON object as a server sent it. */
type Json = Record<string, unknown>;

const MAX_LINE_CHARACTERS = 16_777_216; // one event: an answer as long as any

/** What is written otherwise than the SDK reads it. Within a text, its quotes would be escaped. */
const ODD = /"(?:arguments|message)"\s*:\s*[{[]|"error"\s*:\s*null|^data:\s*\[\s*\{/;

/**
 * A stream of chat completions with what some servers write otherwise in the form of all: arguments of a call as an
 * object, a whole message in place of a piece, an error in a list, none as null. Other lines pass as they are.
 */
export function readableEvents(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let open = '';
  return new TransformStream({
    transform(bytes, controller) {
      const lines = `${open}${decoder.decode(bytes, { stream: true })}`.split('\n');
      open = lines.pop() ?? '';
      if (open.length > MAX_LINE_CHARACTERS)
        throw new UnreadableAnswer({
          contentType: 'text/event-stream',
          start: open.slice(0, 2_000),
          expected: 'an event with an end',
        });
      if (lines.length > 0) controller.enqueue(encoder.encode(`${lines.map(readableLine).join('\n')}\n`));
    },
    flush(controller) {
      const last = `${open}${decoder.decode()}`;
      if (last !== '') controller.enqueue(encoder.encode(readableLine(last)));
    },
  });
}

function readableLine(line: string): string {
  const isOpen = line.includes('"tool_calls"') && !line.includes('"function"');
  if (!line.startsWith('data:') || (!ODD.test(line) && !isOpen)) return line;
  try {
    const value: unknown = JSON.parse(line.slice('data:'.length));
    const [chunk] = Array.isArray(value) ? value : [value];
    return isObject(chunk) ? `data: ${JSON.stringify(readableChunk(chunk))}` : line;
  } catch {
    return line; // the SDK reports it, with its words
  }
}

/** A whole chat completion as the stream that it stands for; null for anything else. */
export function wholeAsEvents(value: unknown): string | null {
  if (!isObject(value) || !Array.isArray(value.choices)) return null;
  const [choice] = value.choices;
  if (!isObject(choice) || !(isObject(choice.message) || isObject(choice.delta))) return null;
  return `data: ${JSON.stringify(readableChunk(value))}\n\ndata: [DONE]\n\n`;
}

function readableChunk({ error, ...chunk }: Json): Json {
  if (error !== null && error !== undefined) return { ...chunk, error };
  return Array.isArray(chunk.choices) ? { ...chunk, choices: chunk.choices.map(readableChoice) } : chunk;
}

function readableChoice(choice: Json): Json {
  const { message, ...others } = choice;
  if (isObject(choice.delta)) return { ...choice, delta: readableMessage(choice.delta) };
  if (!isObject(message)) return choice;
  const delta = readableMessage(message);
  const hasCalls = Array.isArray(delta.tool_calls) && delta.tool_calls.length > 0;
  return { ...others, delta, finish_reason: choice.finish_reason ?? (hasCalls ? 'tool_calls' : 'stop') };
}

function readableMessage(message: Json): Json {
  if (!Array.isArray(message.tool_calls)) return message;
  return { ...message, tool_calls: message.tool_calls.map(readableCall) };
}

function readableCall(call: Json): Json {
  const called = isObject(call.function) ? call.function : {};
  const { arguments: input } = called;
  if (typeof input !== 'object' || input === null) return { ...call, function: called };
  // Languages with one kind of list for both write no arguments as an empty list.
  const isNone = Array.isArray(input) && input.length === 0;
  return { ...call, function: { ...called, arguments: isNone ? '{}' : JSON.stringify(input) } };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
