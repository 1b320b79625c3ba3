import type { CodeText } from './code-text.ts';
import { type FoundTest, MOST_TESTS } from './nest-tests.ts';

const SPEC = /:\s*(?:\w+\.)*(?:String|Fun|Should|Describe|Behavior|Word|Free|Feature|Expect)Spec\s*\(/;
/** `test("adds up") {`, `"adds up" {`, `"a list" - {`, `"a list" should {`, with an `x` before what is skipped. */
const CALL =
  /(?:\b(x?)(test|it|should|expect|[tT]hen|scenario|describe|context|[gG]iven|[wW]hen|[aA]nd|feature)`?\s*\(\s*)?"([^"\n]*)"\s*\)?(?:\s*\.config\(([^()]*)\))?\s*(-|should|[wW]hen)?\s*\{/g;
const GROUP = /^(?:describe|context|given|when|and|feature)$/i;

/** The tests of Kotest, which are calls with a title: none in a source without one of its specifications. */
export function kotestTests({ bare, source, partner }: CodeText): FoundTest[] {
  if (!SPEC.test(bare)) return [];
  return Array.from(bare.matchAll(CALL).take(MOST_TESTS)).flatMap((match): FoundTest[] => {
    const { index, 0: head, 1: mark = '', 2: word = '', 3: blank = '', 4: config = '', 5: suffix } = match;
    const close = partner.get(index + head.length - 1);
    if (close === undefined) return [];
    const from = index + head.indexOf('"') + 1;
    const title = source.slice(from, from + blank.length);
    return [
      {
        title: title.replace(/^(?:!|f:)/, ''),
        from: index,
        to: close + 1,
        isGroup: GROUP.test(word) || suffix !== undefined,
        isFocused: title.startsWith('f:'),
        skip: mark === 'x' || title.startsWith('!') || /\benabled\s*=\s*false\b/.test(config) ? 'always' : null,
      },
    ];
  });
}
