import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiLog } from '../../service/api-deps.ts';
import { logNotesOf } from './log-notes.ts';

/** Logs every request when it is over: who asked for what, and how it ended. Without its query, which may hold private text. */
export function logAccess(
  log: ApiLog,
  request: { req: IncomingMessage; res: ServerResponse },
  fields: { requestId: string; ip: string },
): void {
  const { req, res } = request;
  const { method, url = '/' } = req;
  const startedAt = performance.now();
  res.once('close', () => {
    const facts = {
      request_id: fields.requestId,
      ip: fields.ip,
      method,
      path: url.split('?', 1)[0],
      status: res.statusCode,
      ...logNotesOf(res),
      duration_ms: Math.round(performance.now() - startedAt),
      ...(res.writableFinished ? {} : { aborted: true }),
    };
    log.info(facts, 'request');
  });
}
