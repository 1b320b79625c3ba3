import { type HostAnswer, jsonAnswer } from './answer.ts';
import type { HostCall } from './host-call.ts';

/** One page of a list, with the `Link` header that leads to the others. */
export function pageAnswer<T>(call: HostCall, items: readonly T[], wire: (item: T) => unknown): HostAnswer {
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
  const shown = items.slice((page - 1) * perPage, page * perPage).map(wire);
  return jsonAnswer(200, shown, links.length === 0 ? {} : { link: links.join(', ') });
}

function positive(text: string | null): number | null {
  const number = Number.parseInt(text ?? '', 10);
  return number > 0 ? number : null;
}
