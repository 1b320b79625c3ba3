import { type HostAnswer, jsonAnswer } from './answer.ts';
import type { HostCall } from './host-call.ts';

/** One page of a list, with the `Link` header that leads to the others. */
export function pageAnswer<T>(call: HostCall, items: readonly T[], wire: (item: T) => unknown): HostAnswer {
  const page = cutPage(call, items);
  return jsonAnswer(200, page.items.map(wire), page.links);
}

/** The items of the page that is asked for, and the place where it ends. */
export function cutPage<T>(call: HostCall, items: readonly T[]) {
  const perPage = Math.min(positive(call.query.get('per_page')) ?? 30, 100);
  const page = positive(call.query.get('page')) ?? 1;
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const to = (rel: string, number: number) => {
    const query = new URLSearchParams(call.query);
    query.set('page', String(number));
    return `<${new URL(call.path, call.host.webUrl).href}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [to('prev', page - 1), to('first', 1)] : []),
    ...(page < last ? [to('next', page + 1), to('last', last)] : []),
  ];
  const end = page * perPage;
  const header: Record<string, string> = links.length === 0 ? {} : { link: links.join(', ') };
  return { items: items.slice(end - perPage, end), end, links: header };
}

function positive(text: string | null): number | null {
  const number = Number.parseInt(text ?? '', 10);
  return number > 0 ? number : null;
}
