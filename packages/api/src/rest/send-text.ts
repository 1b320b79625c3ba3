import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { TextForm } from '../procedure/route-meta.ts';

/**
 * Answers with the text form of a procedure's output, page after page, at the reader's pace. The first page is read before
 * anything is sent, so that a refusal still gets its status.
 */
export async function sendText(
  request: { res: ServerResponse; isHead: boolean },
  form: TextForm,
  call: (more: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<void> {
  const { res, isHead } = request;
  const first = await call({});
  res.statusCode = 200;
  for (const [name, value] of Object.entries(form.headers ?? {})) res.setHeader(name, value);
  res.setHeader('Content-Type', `${form.type}; charset=utf-8`);
  if (isHead) {
    res.end();
    return;
  }
  await pipeline(pages(form, first, call), res);
}

async function* pages(
  form: TextForm,
  first: unknown,
  call: (more: Readonly<Record<string, unknown>>) => Promise<unknown>,
): AsyncGenerator<string> {
  let output = first;
  for (;;) {
    yield form.text(output as never);
    const more = form.next?.(output as never) ?? null;
    if (more === null) return;
    output = await call(more);
  }
}
