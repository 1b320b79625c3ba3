/** How many there are, and not which. */
const SIZE = /\.(?:length|size|count)\b(?!\s*\(\s*\w)|\blen\(|\bcount\(/;
/** One of several values, whichever it is. */
const EITHER =
  /\bexpect\(\s*\[[^\]]*\]\s*\)\s*\.(?:to\.)?(?:toContain|include|contain)|\b(?:isIn|oneOf|isOneOf|be_in)\(|\bin\s*[([{]\s*[^)\]}]*[)\]}]\s*$|\bassert_?includes?\b\s*\(?\s*\[|\[[^\]]*\]\s*\.(?:includes|contains|include\?)\(/i;
const ANYTHING = /\banything\(\)\s*\)\s*;?\s*$|\bANY\b|\bany\(\s*\w+\s*\)\s*\)\s*;?\s*$/;

/** Whether a check asks for less of the same than the one before it, although the matcher may be as strict. */
export function asksForPart(from: string, to: string): boolean {
  return [SIZE, EITHER, ANYTHING].some((form) => form.test(to) && !form.test(from));
}
