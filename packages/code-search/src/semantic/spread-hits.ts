const HITS_PER_FILE = 2; // one long file about everything must not push out the second-best file

/** Puts the third and further chunks of a file behind everything else. */
export function spreadHits<Hit extends { readonly path: string }>(hits: readonly Hit[]): Hit[] {
  const seen = new Map<string, number>();
  const first: Hit[] = [];
  const rest: Hit[] = [];
  for (const hit of hits) {
    const count = (seen.get(hit.path) ?? 0) + 1;
    seen.set(hit.path, count);
    (count > HITS_PER_FILE ? rest : first).push(hit);
  }
  return [...first, ...rest];
}
