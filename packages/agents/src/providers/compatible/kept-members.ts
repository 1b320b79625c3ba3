/**
 * The most that is kept of one answer, in bytes: a thought of a hundred thousand tokens fits, and a server cannot fill the
 * journal with what nobody reads.
 */
export const MAX_KEPT_BYTES = 1_048_576;

/** The members in which servers send thoughts as text. They are kept as parts of the message, and can be shortened. */
const thoughtFields = ['reasoning_content', 'reasoning'] as const;

/** A JSON object as it came. */
export type Members = Readonly<Record<string, unknown>>;

/** What a server sent with an answer beside what the API defines. */
interface KeptAnswer {
  /** The members that carried thoughts as text. */
  readonly thoughts: readonly string[];
  /** The members of the message as JSON text, so that no store changes their order; null where there are none. */
  readonly message: string | null;
  /** The same for a call, by its id, or else by its position among all calls. */
  call(id: string, position: number): string | null;
}

/** Collects the unknown members of an answer, piece by piece. */
interface KeptMembers {
  add(chunk: unknown): void;
  end(): KeptAnswer;
}

interface KeptCall {
  readonly id: string | null;
  readonly index: number | null;
  members: Members;
}

const MESSAGE: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls', 'refusal', 'function_call']);
const CALL: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function']);
const FUNCTION: ReadonlySet<string> = new Set(['name', 'arguments']);

/** Keys that change an object's prototype in careless hands. */
const UNSAFE: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function keptMembers(): KeptMembers {
  let message: Members = {};
  let parts: unknown[] = [];
  let bytes = 0;
  const filled = new Set<string>();
  const calls: KeptCall[] = [];

  function addDelta(delta: Members): void {
    for (const field of thoughtFields) if (typeof delta[field] === 'string' && delta[field] !== '') filled.add(field);
    const own = unknownIn(delta, MESSAGE);
    const others = Object.fromEntries(Object.entries(own).filter(([name, value]) => !isText(name, value)));
    bytes += sizeOf(others);
    message = mergedMembers(message, others);
    parts = mergedParts(parts, delta.content);
    if (Array.isArray(delta.tool_calls)) for (const call of delta.tool_calls) addCall(membersOf(call));
  }

  function addCall(delta: Members): void {
    const ofFunction = unknownIn(membersOf(delta.function), FUNCTION);
    const members = {
      ...unknownIn(delta, CALL),
      ...(Object.keys(ofFunction).length > 0 && { function: ofFunction }),
    };
    bytes += sizeOf(members);
    const id = typeof delta.id === 'string' && delta.id !== '' ? delta.id : null;
    const index = typeof delta.index === 'number' ? delta.index : null;
    const known = calls.findLast((call) => (id === null ? index !== null && call.index === index : call.id === id));
    if (known !== undefined) known.members = mergedMembers(known.members, members);
    else if (id !== null || typeof membersOf(delta.function).name === 'string') calls.push({ id, index, members });
  }

  return {
    add(chunk) {
      const [choice] = listIn(membersOf(chunk).choices);
      const delta = membersOf(membersOf(choice).delta);
      if (bytes > MAX_KEPT_BYTES) return;
      try {
        addDelta(delta);
      } catch (error) {
        // Nested deeper than the stack: nothing of it is worth keeping.
        if (!(error instanceof RangeError)) throw error;
        bytes = Number.POSITIVE_INFINITY;
      }
    },
    end() {
      const isTooLong = bytes > MAX_KEPT_BYTES;
      const unfilled = thoughtFields.filter((field) => message[field] !== undefined && !filled.has(field));
      const { reasoning_content: _, reasoning: __, ...others } = message;
      const empty = Object.fromEntries(unfilled.map((field) => [field, message[field]]));
      const content = parts.every(isPlainText) ? {} : { content: parts };
      const textOf = (members: Members) => (isTooLong ? null : jsonText(members));
      return {
        thoughts: thoughtFields.filter((field) => filled.has(field)),
        message: textOf({ ...empty, ...others, ...content }),
        call(id, position) {
          const call = calls.find((one) => one.id === id) ?? calls[position];
          return call === undefined || (call.id !== null && call.id !== id) ? null : textOf(call.members);
        },
      };
    },
  };
}

/** Thoughts that are text are parts of the message already. */
function isText(name: string, value: unknown): boolean {
  return typeof value === 'string' && value !== '' && thoughtFields.some((field) => field === name);
}

/** The members that the API does not define. One without a value says nothing. */
function unknownIn(members: Members, known: ReadonlySet<string>): Members {
  const own = Object.entries(members).filter(
    ([name, value]) => !known.has(name) && !UNSAFE.has(name) && value !== null && value !== undefined,
  );
  return Object.fromEntries(own);
}

/** Strings that come whole each time; all others come in pieces. */
const WHOLE = /^(?:id|type|index|format|role|name|object)$|signature$/i;

function mergedMembers(before: Members, next: Members): Members {
  const all = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(next))
    if (!UNSAFE.has(name)) all.set(name, all.has(name) ? merged(all.get(name), value, name) : value);
  return Object.fromEntries(all);
}

function merged(before: unknown, next: unknown, name: string): unknown {
  if (next === null || next === undefined) return before;
  if (typeof before === 'string' && typeof next === 'string') return WHOLE.test(name) ? next : before + next;
  if (Array.isArray(before) && Array.isArray(next)) return next.reduce<unknown[]>(withItem, before);
  return isObject(before) && isObject(next) ? mergedMembers(before, next) : next;
}

/** A list with the piece of an item, which goes on with the last item where both are one. */
function withItem(list: readonly unknown[], item: unknown): unknown[] {
  const at = isObject(item) ? list.findLastIndex((before) => isObject(before) && goesOn(before, item)) : -1;
  if (at === -1) return [...list, item];
  return list.map((before, index) => (index === at ? mergedMembers(membersOf(before), membersOf(item)) : before));
}

/** Whether an item is a further piece of an earlier one: of the same kind and number, or of a text without a number. */
function goesOn(before: Members, item: Members): boolean {
  if (before.type !== item.type) return false;
  if (before.id && item.id && before.id !== item.id) return false;
  if (before.index !== undefined || item.index !== undefined) return before.index === item.index;
  return ['text', 'summary', 'thinking'].some((name) => name in before && name in item);
}

/** The parts of a message's content, with text as a part. */
function mergedParts(parts: unknown[], content: unknown): unknown[] {
  if (typeof content === 'string')
    return content === '' ? parts : [{ type: 'text', text: content }].reduce(withItem, parts);
  return Array.isArray(content) ? content.reduce<unknown[]>(withItem, parts) : parts;
}

function isPlainText(part: unknown): boolean {
  return isObject(part) && part.type === 'text' && Object.keys(part).length === 2 && 'text' in part;
}

function jsonText(members: Members): string | null {
  if (Object.keys(members).length === 0) return null;
  const text = JSON.stringify(members);
  return Buffer.byteLength(text) > MAX_KEPT_BYTES ? null : text;
}

function sizeOf(members: Members): number {
  return Object.keys(members).length === 0 ? 0 : Buffer.byteLength(JSON.stringify(members));
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}
