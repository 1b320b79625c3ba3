import { expect, it } from 'vitest';
import type { Judge } from './judge.ts';

/** The last test of a file whose requests have gone through the judge. */
export function itKeepsTheDocument(judge: () => Judge): void {
  it('has kept to docs/openapi.json in all of that, as Prism sees it', async () => {
    await judge().idle();
    expect(judge().complaints()).toEqual([]);
    expect(judge().exchanges.length).toBeGreaterThan(0);
  });
}
