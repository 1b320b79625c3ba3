import * as z from 'zod';

type Fitted<Output> = { readonly ok: true; readonly output: Output } | { readonly ok: false; readonly fault: string };

/**
 * A value as its schema wants it, with the slips of weak models corrected: JSON inside a string, the answer inside
 * another object, and text where a list is wanted (a line is an item; in `files` a comma ends one too). Members that the
 * schema does not name are dropped.
 *
 * @param name of the answer: the member that a wrapping object may hold it in
 */
export function fitted<Output>(schema: z.ZodType<Output>, value: unknown, name: string): Fitted<Output> {
  const faults: string[] = [];
  for (const candidate of candidates(value, name)) {
    const parsed = schema.safeParse(candidate);
    if (parsed.success) return { ok: true, output: parsed.data };
    const again = schema.safeParse(withLists(candidate, parsed.error.issues));
    if (again.success) return { ok: true, output: again.data };
    faults.push(z.prettifyError(again.error));
  }
  return { ok: false, fault: faults.at(-1) ?? 'It is empty.' };
}

/** The value itself, and what it may be wrapped in. */
function candidates(value: unknown, name: string): unknown[] {
  const whole = typeof value === 'string' ? parsedOr(value) : value;
  if (!isRecord(whole)) return [whole];
  const members = Object.entries(whole);
  const [only] = members;
  const inner = Object.hasOwn(whole, name) ? whole[name] : members.length === 1 ? only?.[1] : undefined;
  const unwrapped = typeof inner === 'string' ? parsedOr(inner) : inner;
  return isRecord(unwrapped) ? [whole, unwrapped] : [whole];
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A copy in which text stands as a list wherever the schema found fault with that. */
function withLists(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(value);
  for (const issue of issues) {
    const [last] = issue.path.slice(-1);
    const parent = issue.path.slice(0, -1).reduce<unknown>((at, key) => (isRecord(at) ? at[String(key)] : at), copy);
    if (issue.code !== 'invalid_type' || issue.expected !== 'array' || last === undefined || !isRecord(parent))
      continue;
    const text = parent[String(last)];
    if (typeof text === 'string') parent[String(last)] = listIn(text, last === 'files' ? /[\n,]/ : /\n/);
    if (text === null) parent[String(last)] = [];
  }
  return copy;
}

function listIn(text: string, separator: RegExp): unknown {
  const json = parsedOr(text);
  if (Array.isArray(json)) return json;
  const items = text.split(separator).map((item) => item.replace(/^\s*(?:[-*]|\d+[.)])\s+/, '').trim());
  return items.filter((item) => item !== '');
}

/** An object or a list. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
