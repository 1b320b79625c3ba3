/** The separators between the parts of a test's name: file, suites, class, package. */
export const SEPARATORS = / > | › |::|#| (?=Test[A-Z_/])/;

/**
 * The parts of a test's name, each in the forms in which a source may have it: without parameters, without the packages of a
 * class, a subtest of Go by itself and with spaces.
 */
export function partsOfName(name: string): string[] {
  const parts = name.split(SEPARATORS).flatMap((part) => {
    const bare = part.replace(/[[(].*$/, '').trim();
    const dotted = /^[\w$]+(?:\.[\w$]+)+$/.test(bare) ? bare.split('.') : [];
    const subtests = /^Test\w*\//.test(part) ? part.split('/') : [];
    return [part, bare, ...dotted, ...subtests, ...subtests.map((one) => one.replaceAll('_', ' '))];
  });
  return [...new Set(parts)];
}

/**
 * Whether two names are those of one test: where it fails, it is named with more of its suites, its package or its file than
 * where it passes.
 */
export function isSameTest(failing: string, passing: string): boolean {
  const isNamedAlike = failing.split(' > ').at(-1) === passing.split(' > ').at(-1) && isWithin(failing, passing);
  return isNamedAlike || failing.endsWith(` ${passing}`);
}

/** Whether a test that fails is in a suite that passed before, or is that one. */
export function isWithin(failing: string, suite: string): boolean {
  const left = suite.split(' > ').reverse();
  for (const one of failing.split(' > ').reverse()) if (one === left[0]) left.shift();
  return left.length === 0;
}
