import type { ProgramText } from './program-text.ts';
import type { TestCase } from './test-case.ts';

/** What puts the values of a result in order, or compares them in any order. */
const ANY_ORDER =
  /\bsorted\(|\.(?:to)?[sS]ort(?:ed|By|With|_by(?:_key)?|_unstable\w*)?\b!?(?=\(|\s*[{.,;)\n]|$)|\bsort\.\w+\(|\bslices\.Sort\w*\(|\bset\(|\bnew (?:Hash|Tree)?Set\b|\b(?:assertCountEqual|assertItemsEqual|assertUnorderedEquals|ElementsMatch|arrayContaining|sameMembers|match_array|contain_exactly)\b|\.members\(|InAnyOrder\b|\b(?:Hash|BTree)Set\b|\.to_set\b|\.toSet\(\)/g;
/** What an order comes from in a program. */
const ORDERS = /sort|order|reverse|compar|priorit/gi;
const ABOUT_ORDER = /sort|order|sequence|first|last|newest|oldest|rank|priorit|ascend|descend/i;

/**
 * Whether a test no longer checks the order that the program gives. Where nothing speaks of an order, and the program did not
 * lose one, it may be that there is none to be checked.
 */
export function losesOrder(before: TestCase, after: TestCase, program: ProgramText): boolean {
  const had = new Set(before.bare.match(ANY_ORDER));
  // One that was there before may be what is tested.
  if (after.bare.match(ANY_ORDER)?.every((form) => had.has(form)) ?? true) return false;
  return (
    ABOUT_ORDER.test(before.name.split(' > ').at(-1) ?? '') ||
    count(program.after, ORDERS) < count(program.before, ORDERS)
  );
}

function count(code: string, pattern: RegExp): number {
  return code.match(pattern)?.length ?? 0;
}
