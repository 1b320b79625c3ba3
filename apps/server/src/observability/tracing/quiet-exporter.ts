import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';

const QUIET_MS = 60_000;
const SUCCESS = 0; // `ExportResultCode.SUCCESS`, which the SDK exports from a package of its own

/** The exporter, saying at most once a minute that it cannot get its traces through. What failed is dropped. */
export function quietExporter(exporter: SpanExporter, log: Logger): SpanExporter {
  let saidAt = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== SUCCESS && performance.now() - saidAt > QUIET_MS) {
          saidAt = performance.now();
          // The message alone: the error may hold the request with its headers.
          log.warn({ reason: result.error?.name ?? 'unknown' }, 'traces could not be sent and are dropped');
        }
        done(result);
      }),
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
