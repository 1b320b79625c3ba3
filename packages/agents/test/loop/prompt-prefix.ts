/** How much of what is sent the provider's cache can hold. */
export interface PrefixMeasure {
  /** How often the beginning of a request was not that of the request before. */
  readonly breaks: number;
  /** The share of all input that the request before had at its beginning too. */
  readonly cacheableShare: number;
  /** The characters by which the requests have grown in all, without what was shortened. */
  readonly grown: number;
}

/** Measures the requests of one conversation, message by message. A message that has changed is read anew. */
export function measurePrefix(requests: readonly (readonly unknown[])[]): PrefixMeasure {
  let [breaks, total, cacheable, grown] = [0, 0, 0, 0];
  let before: readonly string[] = [];
  for (const request of requests) {
    const texts = request.map((message) => JSON.stringify(message));
    const same = texts.findIndex((text, at) => text !== before[at]);
    const shared = same === -1 ? texts.length : same;
    if (shared < before.length) breaks += 1;
    total += sizeOf(texts);
    cacheable += sizeOf(texts.slice(0, shared));
    grown += sizeOf(texts.slice(before.length));
    before = texts;
  }
  return { breaks, cacheableShare: total === 0 ? 0 : cacheable / total, grown };
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}
