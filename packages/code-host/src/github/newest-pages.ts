import type { z } from 'zod';
import { PER_PAGE } from './filled-page.ts';
import type { HostSession } from './host-session.ts';

const PAGES = 5; // five hundred comments: more than any model reads

/** The newest entries of a list that the host gives oldest first, in that order. Bounded: of a longer one the end. */
export async function newestPages<T>(
  host: HostSession,
  asked: { readonly route: string; readonly parameters: Readonly<Record<string, unknown>> },
  shape: z.ZodType<T[]>,
): Promise<T[]> {
  const read = (page: number) =>
    host.ask({ ...asked, parameters: { ...asked.parameters, per_page: PER_PAGE, page }, shape });
  const first = await read(1);
  const last = first.last ?? first.next ?? 1;
  const found = last <= PAGES ? [...first.data] : [];
  for (let page = Math.max(2, last - PAGES + 1); page <= last; page += 1) found.push(...(await read(page)).data);
  return found;
}
