/**
 * The suites around a test, outermost first, and the test itself. Whether one chain lies inside another is asked of
 * keys in a set: comparing each failure with each takes minutes for an output made to be slow to read.
 */
export type TestChain = readonly string[];

export function chainKey(chain: TestChain): string {
  return chain.map((name) => `${name}\0`).join('');
}

/** The keys of all chains around this one, itself left out. */
export function outerKeys(chain: TestChain): string[] {
  let key = '';
  return chain.slice(0, -1).map((name) => {
    key += `${name}\0`;
    return key;
  });
}
