import { localNames } from './local-values.ts';
import type { Removed } from './removed-from-program.ts';
import { literalsOf, TOKEN } from './tokens.ts';

/** Whether the code of a test uses what the change removes from the program. A name that the test sets itself is its own. */
export function usesRemoved(code: string, removed: Removed): boolean {
  const { names, texts } = removed;
  if (names.size === 0 && texts.size === 0) return false;
  let own: ReadonlySet<string> | null = null;
  for (const { index, 0: token } of code.matchAll(TOKEN)) {
    if (/^["'`]/.test(token)) {
      const text = token.slice(1, -1);
      if (names.has(text) || isAddressed(text, removed)) return true;
    } else if (names.has(token)) {
      own ??= localNames(code);
      if (!own.has(token) || /(?:\.|::|->)\s*$/.test(code.slice(Math.max(0, index - 3), index))) return true;
    }
  }
  return false;
}

/** `/items/3?all=1` goes to the route `/items/:id`, and `--turbo=2` is the option `--turbo`. */
function isAddressed(text: string, { texts, routes }: Removed): boolean {
  if (texts.size === 0 || !/^[/-]/.test(text)) return false;
  const [plain = ''] = text.split(/[?#=]/, 1);
  if (texts.has(text) || texts.has(plain)) return true;
  const parts = plain.split('/');
  return routes.some(
    (route) => route.length === parts.length && route.every((part, at) => /^[:{<*]/.test(part) || part === parts[at]),
  );
}

/** Whether a test expects a message that the program does not give any longer. */
export function expectsRemoved(code: string, { messages }: Removed): boolean {
  if (messages.length === 0) return false;
  const literals = [...literalsOf(code)].filter(({ length }) => length >= LONG_TEXT);
  return messages.some((parts) => literals.some((text) => hasAll(text, parts) || hasAll(parts.join(' '), [text])));
}

const LONG_TEXT = 10; // characters: a shorter one is said of other things too

function hasAll(text: string, parts: readonly string[]): boolean {
  return parts.every((part) => text.includes(part.trim()));
}
