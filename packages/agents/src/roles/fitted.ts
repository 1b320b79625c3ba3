import type * as z from 'zod';

type Fitted<Output> = { readonly ok: true; readonly output: Output } | { readonly ok: false; readonly fault: string };

/**
 * A value as its schema wants it, with the slips of weak models corrected: JSON inside a string, the answer inside
 * another object, text where a list is wanted (a line is an item; in `files` a comma ends one too) and the reverse, null
 * for what is left out, and `Low` for `low`. Members that the schema does not name are dropped, and so is an optional one
 * that cannot be read: an answer is not lost to what it could do without.
 *
 * @param name of the answer: the member that a wrapping object may hold it in
 */
export function fitted<Output>(schema: z.ZodType<Output>, value: unknown, name: string): Fitted<Output> {
  const faults: string[] = [];
  for (const candidate of candidates(value, name)) {
    const parsed = schema.safeParse(candidate);
    if (parsed.success) return { ok: true, output: parsed.data };
    const mended = corrected(candidate, parsed.error.issues);
    const again = schema.safeParse(mended);
    if (again.success) return { ok: true, output: again.data };
    const without = schema.safeParse(withoutUnread(mended, again.error.issues));
    if (without.success) return { ok: true, output: without.data };
    faults.push(
      again.error.issues.map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`).join('; '),
    );
  }
  return { ok: false, fault: faults.at(-1) ?? 'It is empty.' };
}

/** Where models put what they write a call as in a text: `{"name": "submit_plan", "arguments": {…}}`. */
const ARGUMENTS = ['arguments', 'parameters', 'input'];

/** The value itself, and what it may be wrapped in. */
function candidates(value: unknown, name: string): unknown[] {
  const whole = typeof value === 'string' ? parsedOr(value) : value;
  if (!isRecord(whole)) return [whole];
  const wrapper = [name, ...ARGUMENTS].find((one) => Object.hasOwn(whole, one));
  const [only, ...others] = Object.values(whole);
  const inner = wrapper !== undefined ? whole[wrapper] : others.length === 0 ? only : undefined;
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

/** A copy with the schema's type wherever the value can only have meant that. */
function corrected(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(value);
  for (const issue of issues) {
    const last = issue.path.at(-1);
    const parent = issue.path.slice(0, -1).reduce<unknown>((at, key) => (isRecord(at) ? at[String(key)] : at), copy);
    if (last === undefined || !isRecord(parent)) continue;
    const name = String(last);
    const given = parent[name];
    const meant = meantBy(given, issue, name);
    if (meant !== undefined) parent[name] = meant;
    else if (given === null) delete parent[name];
  }
  return copy;
}

/** A copy without the members of the answer itself that are at fault; the schema says which of them it can do without. */
function withoutUnread(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  if (!isRecord(value)) return value;
  const unread = new Set(issues.map(({ path }) => String(path[0])));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !unread.has(name)));
}

/** Undefined where it cannot be told. */
function meantBy(given: unknown, issue: z.core.$ZodIssue, name: string): unknown {
  if (issue.code === 'invalid_value' && typeof given === 'string')
    return issue.values.find((value) => String(value) === given.trim().toLowerCase());
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'array') {
    if (typeof given === 'string') return listIn(given, name === 'files' ? /[\n,]/ : /\n/);
    if (given === null) return [];
    return isRecord(given) ? [given] : undefined;
  }
  const isText = issue.expected === 'string' && Array.isArray(given) && given.every((one) => typeof one === 'string');
  return isText ? given.join('\n') : undefined;
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
