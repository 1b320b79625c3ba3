import type { z } from 'zod';
import { PER_PAGE } from './filled-page.ts';
import type { HostSession } from './host-session.ts';

/** The entries of a list from its beginning, and whether these are all. */
export async function firstPages<T>(
  host: HostSession,
  request: { readonly route: string; readonly parameters: Readonly<Record<string, unknown>>; readonly pages: number },
  schema: z.ZodType<T[]>,
): Promise<{ readonly items: readonly T[]; readonly complete: boolean }> {
  const { route, parameters, pages } = request;
  const items: T[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const { data, next } = await host.send({ route, parameters: { ...parameters, per_page: PER_PAGE, page }, schema });
    items.push(...data);
    if (next === null) return { items, complete: true };
  }
  return { items, complete: false };
}
