import { expect, it } from 'vitest';
import type { ContractProxy } from './contract-proxy.ts';

/** The last test of a file whose requests went through the contract proxy. */
export function itConformsToOpenApi(proxy: () => ContractProxy): void {
  it('conforms to docs/openapi.json in all exchanges above, according to Prism', async () => {
    await proxy().idle();
    expect(proxy().violations()).toEqual([]);
    expect(proxy().exchanges.length).toBeGreaterThan(0);
  });
}
