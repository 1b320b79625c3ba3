import { createServer, type Server } from 'node:http';
import type { Logger } from 'pino';
import { listen } from '../../process/listen.ts';
import type { Metrics } from './create-metrics.ts';

export interface MetricsServer {
  /** The actual address, e.g. `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `/metrics`, and nothing else, on a separate port.
 *
 * @throws StartError when the port is taken
 */
export async function serveMetrics(
  metrics: Metrics,
  address: { readonly host: string; readonly port: number },
  log: Logger,
): Promise<MetricsServer> {
  const server = createMetricsHttp(metrics, log);
  const url = await listen(server, { ...address, portVariable: 'METRICS_PORT' });
  return {
    url: `${url}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createMetricsHttp(metrics: Metrics, log: Logger): Server {
  return createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    request.resume();
    const path = request.url?.split('?')[0];
    const refuse = (status: number, detail: string) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify({ detail }));
    };
    if (path !== '/metrics') return refuse(404, 'Not found. This port serves /metrics only.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return refuse(405, 'Use GET.');
    }
    metrics.print().then(
      (text) => {
        response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
        response.end(text);
      },
      (error: unknown) => {
        log.error({ err: error }, 'metrics could not be printed');
        refuse(500, 'The metrics could not be printed. The log has the reason.');
      },
    );
  });
}
