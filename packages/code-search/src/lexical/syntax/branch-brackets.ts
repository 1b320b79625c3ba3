/** Open brackets, from the innermost outwards. Equal ones are the same object, so that a set holds each once. */
interface Open {
  readonly closing: string;
  readonly around: Open | null;
  readonly inside: Map<string, Open>;
}

interface Conditional {
  /** What may be open before it. */
  readonly before: ReadonlySet<Open>;
  /** What may be open after it, by its branches so far. */
  readonly after: Set<Open>;
  /** Whether its first branch is `#if 0`, and no other one has come yet. */
  isOff: boolean;
}

/** The bracket that closes each. */
export const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const MAX_OPEN = 64; // ways through the conditionals that differ; a file has few

/**
 * The place at which brackets stop to balance, whichever branch of each conditional is taken: often each of two
 * branches opens the same block, which is closed once after both. A single branch counts, because another one on the
 * same name closes what it opens, unless it is `#if 0`.
 *
 * @param tokens the brackets and the directives, in order
 * @returns the place of a token that closes nothing; the number of tokens where one is left open; null where they
 * balance
 */
export function unbalancedInBranches(tokens: readonly string[]): number | null {
  const none: Open = { closing: '', around: null, inside: new Map() };
  const conditionals: Conditional[] = [];
  let open: ReadonlySet<Open> = new Set([none]);
  for (const [place, token] of tokens.entries()) {
    const conditional = conditionals.at(-1);
    const directive = /[a-z]+/.exec(token)?.[0] ?? '';
    if (directive.startsWith('if')) {
      const isOff = /\s0$/.test(token);
      conditionals.push({ before: open, after: new Set(), isOff });
      if (isOff) open = new Set();
    } else if (directive.startsWith('el') && conditional !== undefined) {
      for (const one of open) conditional.after.add(one);
      conditional.isOff = false;
      open = conditional.before;
    } else if (directive === 'endif' && conditional !== undefined) {
      open = new Set([...conditional.after, ...open, ...(conditional.isOff ? conditional.before : [])]);
      conditionals.pop();
    } else if (token.length === 1) {
      open = new Set([...open].slice(0, MAX_OPEN).flatMap((one) => withBracket(one, token) ?? []));
      if (open.size === 0 && conditionals.length === 0) return place;
    }
  }
  return open.has(none) ? null : tokens.length;
}

/** The open brackets after another one; null where it closes something else. */
function withBracket(open: Open, bracket: string): Open | null {
  const closing = CLOSING[bracket];
  if (closing === undefined) return open.closing === bracket ? open.around : null;
  const inner = open.inside.get(bracket) ?? { closing, around: open, inside: new Map() };
  open.inside.set(bracket, inner);
  return inner;
}
