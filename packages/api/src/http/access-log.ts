import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiLog } from '../service/api-deps.ts';

/** One line for every request when it is over. The query stays out of it: it is the caller's affair. */
export function logAccess(
  log: ApiLog,
  request: { req: IncomingMessage; res: ServerResponse },
  fields: { requestId: string; ip: string },
): void {
  const { req, res } = request;
  const { method, url = '/' } = req;
  const begun = performance.now();
  res.once('close', () => {
    const facts = {
      request_id: fields.requestId,
      ip: fields.ip,
      method,
      path: url.split('?', 1)[0],
      status: res.statusCode,
      duration_ms: Math.round(performance.now() - begun),
      ...(res.writableFinished ? {} : { aborted: true }),
    };
    log.info(facts, 'request');
  });
}
