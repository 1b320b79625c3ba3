/**
 * The most that is kept of one answer, in bytes: a thought of a hundred thousand tokens fits, and a server cannot fill the
 * journal with what no model reads.
 */
export const MAX_KEPT_BYTES = 1_048_576;

/** The members in which servers send thoughts as text. They are kept as parts of the message, and can be shortened. */
const thoughtFields = ['reasoning_content', 'reasoning'] as const;

/** How much may come before its size in one piece is measured again, in bytes. */
const MEASURED_BYTES = 262_144;

/** The last items of a list that may go on: a server that begins another thought does not come back to one of long ago. */
const MAX_OPEN_ITEMS = 64;

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
  readonly members: Own;
}

/** An object of ours, which grows piece by piece: a copy for each piece would take the square of their number. */
type Own = Record<string, unknown>;

const MESSAGE: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls', 'refusal', 'function_call']);
const CALL: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function']);
const FUNCTION: ReadonlySet<string> = new Set(['name', 'arguments']);

/** Keys that change an object's prototype in careless hands. */
const UNSAFE: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function keptMembers(): KeptMembers {
  const message: Own = {};
  const parts: unknown[] = [];
  const filled = new Set<string>();
  const calls: KeptCall[] = [];
  let unmeasured = 0;
  let isTooLong = false;

  function addDelta(delta: Members): void {
    for (const field of thoughtFields) if (typeof delta[field] === 'string' && delta[field] !== '') filled.add(field);
    const own = unknownIn(delta, MESSAGE);
    grow(message, Object.fromEntries(Object.entries(own).filter(([name, value]) => !isText(name, value))));
    addContent(parts, delta.content);
    if (Array.isArray(delta.tool_calls)) for (const call of delta.tool_calls) addCall(membersOf(call));
  }

  function addCall(delta: Members): void {
    const ofFunction = unknownIn(membersOf(delta.function), FUNCTION);
    const members = { ...unknownIn(delta, CALL), ...(Object.keys(ofFunction).length > 0 && { function: ofFunction }) };
    const id = typeof delta.id === 'string' && delta.id !== '' ? delta.id : null;
    const index = typeof delta.index === 'number' ? delta.index : null;
    const isNamed = typeof membersOf(delta.function).name === 'string';
    // Some servers give all calls of an answer one id.
    const isAt = (call: KeptCall) => !isNamed || index === null || call.index === null || call.index === index;
    const isKnown = (call: KeptCall) =>
      id === null ? index !== null && call.index === index : call.id === id && isAt(call);
    const known = calls.slice(-MAX_OPEN_ITEMS).findLast(isKnown);
    const isNew = known === undefined && (id !== null || isNamed);
    const call = isNew ? { id, index, members: {} } : known;
    if (call === undefined) return;
    grow(call.members, members);
    if (isNew) calls.push(call);
  }

  function grow(own: Own, members: Members): void {
    if (Object.keys(members).length === 0) return;
    unmeasured += JSON.stringify(members).length;
    addMembers(own, members);
    if (unmeasured < MEASURED_BYTES) return;
    unmeasured = 0;
    isTooLong = JSON.stringify([message, calls]).length > MAX_KEPT_BYTES;
  }

  /** The SDK gives a call another id where an earlier one has the same. */
  const isRepeated = (call: KeptCall) => calls.find(({ id }) => id === call.id) !== call;
  const textOf = (members: Members): string | null => {
    return isTooLong || Object.keys(members).length === 0 ? null : JSON.stringify(members);
  };
  return {
    add(chunk) {
      const [choice] = listIn(membersOf(chunk).choices);
      if (isTooLong) return;
      try {
        addDelta(membersOf(membersOf(choice).delta));
      } catch (error) {
        // Nested deeper than the stack: nothing of it is worth keeping.
        if (!(error instanceof RangeError)) throw error;
        isTooLong = true;
      }
    },
    end() {
      const unfilled = thoughtFields.filter((field) => message[field] !== undefined && !filled.has(field));
      const { reasoning_content: _, reasoning: __, ...others } = message;
      const empty = Object.fromEntries(unfilled.map((field) => [field, message[field]]));
      const content = parts.every(isPlainText) ? {} : { content: parts };
      const whole = { ...empty, ...others, ...content };
      isTooLong ||= bytesOf([whole, calls.map(({ members }) => members)]) > MAX_KEPT_BYTES;
      return {
        thoughts: thoughtFields.filter((field) => filled.has(field)),
        message: textOf(whole),
        call(id, position) {
          const call = calls.find((one) => one.id === id) ?? calls[position];
          return call === undefined || !(call.id === null || call.id === id || isRepeated(call))
            ? null
            : textOf(call.members);
        },
      };
    },
  };
}

/** The size as JSON; infinite for what is nested deeper than the stack. */
function bytesOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return Number.POSITIVE_INFINITY;
  }
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

function addMembers(own: Own, members: Members): void {
  for (const [name, value] of Object.entries(members)) {
    if (UNSAFE.has(name)) continue;
    own[name] = Object.hasOwn(own, name) ? merged(own[name], value, name) : ownValue(value);
  }
}

/** A value that may grow without a change to the one that was given. */
function ownValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ownValue);
  if (!isObject(value)) return value;
  const own: Own = {};
  addMembers(own, value);
  return own;
}

function merged(before: unknown, next: unknown, name: string): unknown {
  if (next === null || next === undefined) return before;
  if (typeof before === 'string' && typeof next === 'string') return WHOLE.test(name) ? next : before + next;
  if (Array.isArray(before) && Array.isArray(next)) for (const item of next) addItem(before, item);
  else if (isObject(before) && isObject(next)) addMembers(before as Own, next);
  else return ownValue(next);
  return before;
}

/** Adds the piece of an item to a list, which goes on with a late item where both are one. */
function addItem(list: unknown[], item: unknown): void {
  const before = isObject(item)
    ? list.slice(-MAX_OPEN_ITEMS).findLast((one) => isObject(one) && goesOn(one, item))
    : undefined;
  if (before === undefined) list.push(ownValue(item));
  else addMembers(before as Own, membersOf(item));
}

/** Whether an item is a further piece of an earlier one: of the same kind and number, or of a text without a number. */
function goesOn(before: Members, item: Members): boolean {
  if (before.type !== item.type) return false;
  if (before.id && item.id && before.id !== item.id) return false;
  if (before.index !== undefined || item.index !== undefined) return before.index === item.index;
  return ['text', 'summary', 'thinking'].some((name) => name in before && name in item);
}

/** Adds to the parts of a message's content, with text as a part. */
function addContent(parts: unknown[], content: unknown): void {
  if (typeof content === 'string') {
    if (content !== '') addItem(parts, { type: 'text', text: content });
  } else for (const part of listIn(content)) addItem(parts, part);
}

function isPlainText(part: unknown): boolean {
  return isObject(part) && part.type === 'text' && Object.keys(part).length === 2 && 'text' in part;
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
