import { literalsOf, tokensOf } from './tokens.ts';

/** How many there are, and not which. */
const SIZE = /\.(?:length|size|count)\b(?!\s*\(\s*\w)|\blen\(|\bcount\(/;
/** One of several values, whichever it is. */
const EITHER =
  /\bexpect\(\s*\[[^\]]*\]\s*\)\s*\.(?:to\.)?(?:toContain|include|contain)|\b(?:isIn|oneOf|isOneOf|be_in)\(|\bin\s*[([{]\s*[^)\]}]*[)\]}]\s*$|\bassert_?includes?\b\s*\(?\s*\[|\[[^\]]*\]\s*\.(?:includes|contains|include\?)\(/i;
/** A pattern of Rust with several cases. */
const CASES = /\bmatches!\s*\([\s\S]*[^|]\|(?!\|)/;
/** Any value, in the place of one. */
const ANYTHING =
  /\banything\b|\bexpect\.any\(|\bANY\b|\bany(?:String|Int|Integer|Long|Double|Float|Boolean|Object|List|Set|Map|Collection|Varargs)?\(|\b(?:kind_of|instance_of)\(|\bgomock\.Any\(|\bmock\.Anything\b/g;
/** So many calls or more, also none. */
const AT_LEAST = /\bat_?(?:least|most)(?:_?once)?\b/gi;
/** A number without its digits. */
const ROUNDED =
  /\bMath\.(?:round|floor|ceil|trunc)\(|(?<![\w.])(?:round|int)\(|\bparseInt\(|\.toFixed\(|\.(?:round|floor)\b/g;

/** Whether a check asks for less of the same than the one before it, although the matcher may be as strict. */
export function asksForPart(from: string, to: string): boolean {
  if ([SIZE, EITHER, CASES].some((form) => form.test(to) && !form.test(from))) return true;
  if (/\bat_?[lL]east\(\s*0\s*\)/.test(to) && !/\bat_?[lL]east\(\s*0\s*\)/.test(from)) return true;
  // One that says more besides loses nothing of what it said.
  if (tokensOf(from).isSubsetOf(tokensOf(to))) return false;
  if ([ANYTHING, AT_LEAST].some((form) => count(to, form) > count(from, form))) return true;
  return count(to, ROUNDED) > count(from, ROUNDED) && !literalsOf(from).isSubsetOf(literalsOf(to));
}

function count(code: string, form: RegExp): number {
  return code.match(form)?.length ?? 0;
}
