const K = 60; // Cormack, Clarke, Büttcher 2009: keeps a single first place from deciding, and needs no tuning

/**
 * Reciprocal rank fusion: each list gives a name 1 / (60 + its rank from 1), and a name's points are added. So a name
 * that two lists hold stands before one that only one of them holds at such a rank; the lists' own scores do not matter.
 */
export function fuseRanks(lists: readonly (readonly string[])[]): Map<string, number> {
  const points = new Map<string, number>();
  for (const list of lists) {
    for (const [index, name] of list.entries()) points.set(name, (points.get(name) ?? 0) + 1 / (K + index + 1));
  }
  return new Map([...points].sort(([, one], [, other]) => other - one));
}
