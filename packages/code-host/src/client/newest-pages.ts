import type { z } from 'zod';
import { PER_PAGE } from './filled-page.ts';
import type { HostSession } from './host-session.ts';

const PAGES = 5; // five hundred comments, more than any model reads

/** The newest entries of a list that the host returns oldest first, in that order. Only the end of a long list is read. */
export async function newestPages<T>(
  host: HostSession,
  request: { readonly route: string; readonly parameters: Readonly<Record<string, unknown>> },
  schema: z.ZodType<T[]>,
): Promise<T[]> {
  const read = (page: number) =>
    host.send({ ...request, parameters: { ...request.parameters, per_page: PER_PAGE, page }, schema });
  const first = await read(1);
  const last = first.last ?? first.next ?? 1;
  const found = last <= PAGES ? [...first.data] : [];
  for (let page = Math.max(2, last - PAGES + 1); page <= last; page += 1) found.push(...(await read(page)).data);
  return found;
}
