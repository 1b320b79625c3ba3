import { splitArguments } from './split-arguments.ts';

/** Functions that take a matcher as their second argument: of Hamcrest in any language, and of googletest in Rust. */
const TAKES_MATCHER = /(?:^|[.:])(?:assert_?[tT]hat|expect_that|verify_that)$/;
/** Checks of quicktest and gocheck, which take a matcher between the values. */
const TAKES_CHECKER = /^(?:c|qt|check)\.(?:Assert|Check)$/;
/** Links of Gomega, and of expects in Python, which take it alone. */
const LINK = /\.\s*(To|Should|NotTo|ToNot|ShouldNot|to|to_not|not_to)\s*\(/;
const LINKED = /(?:^|\.)(?:Expect|Eventually|Consistently)$/;
/** Matchers that only hold another one. */
const HOLDS = /^(?:is_?|not|is_?[nN]ot|Not|both|either|allOf|all_of|And)$/;
const DEEPEST = 4; // matchers in matchers

/**
 * The names of the matchers that a check is given as arguments, or null where it has none: `assertThat(x, is(not(nullValue())))`
 * has `not` and `nullValue`.
 *
 * @param text from the bracket of the call to the end of its chain
 */
export function givenMatchers(name: string, text: string): readonly string[] | null {
  const args = splitArguments(text.slice(1));
  if (TAKES_CHECKER.test(name)) return [(args[2] ?? args[1] ?? '').trim().replace(/^.*\./, '').replace(/^Not$/, 'not')];
  if (TAKES_MATCHER.test(name)) {
    const matcher = args.slice(1).find((arg) => MATCHER.test(arg));
    return matcher === undefined ? null : namesIn(matcher);
  }
  const link = LINKED.test(name) ? LINK.exec(text) : null;
  if (link === null) return null;
  const [first = ''] = splitArguments(text.slice(link.index + link[0].length));
  return [...(/not/i.test(link[1] ?? '') ? ['not'] : []), ...namesIn(first)];
}

const MATCHER = /^\s*(?:\w+(?:\.|::))*(\w+)\s*\(/;

function namesIn(matcher: string): string[] {
  const names: string[] = [];
  let rest = matcher;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const found = MATCHER.exec(rest);
    const name = found?.[1] ?? '';
    if (found === null) return names.length === 0 ? ['is'] : names;
    if (!HOLDS.test(name)) return [...names, name];
    if (/not/i.test(name)) names.push('not');
    rest = rest.slice(found[0].length);
  }
  return names;
}
