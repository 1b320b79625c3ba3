import { createHash } from 'node:crypto';
import { emptyAnswer, type HostAnswer } from './answer.ts';
import type { HostCall } from './host-call.ts';

/** Gives an answer its ETag, different for each token, and answers 304 to a client that already has it. */
export function conditional(call: HostCall, answer: HostAnswer): HostAnswer {
  if (call.method !== 'GET' || answer.status !== 200) return answer;
  const hash = createHash('sha256')
    .update(call.token?.value ?? '')
    .update(answer.body);
  const etag = `W/"${hash.digest('hex')}"`;
  const headers = { ...answer.headers, etag, 'cache-control': 'private, max-age=60, s-maxage=60' };
  const known = (call.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
  return known.includes(etag) ? emptyAnswer(304, headers) : { ...answer, headers };
}
