import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';

const QUIET_MS = 60_000;
const SUCCESS = 0; // `ExportResultCode.SUCCESS`, which would need another package

/** The exporter, logging failed exports at most once a minute. Failed spans are dropped. */
export function quietExporter(exporter: SpanExporter, log: Logger): SpanExporter {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== SUCCESS && performance.now() - loggedAt > QUIET_MS) {
          loggedAt = performance.now();
          // Only the error's name: the error may contain the request with its headers.
          log.warn({ reason: result.error?.name ?? 'unknown' }, 'traces could not be sent and are dropped');
        }
        done(result);
      }),
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
