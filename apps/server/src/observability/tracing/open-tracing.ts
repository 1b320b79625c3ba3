import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, RandomIdGenerator, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { routeOf } from '@sluice/api';
import type { Logger } from 'pino';
import manifest from '../../../package.json' with { type: 'json' };
import { callOutcome } from '../call-outcome.ts';
import type { Tracing } from './tracing.ts';

export interface TracingOptions {
  /** Base of the collector's OTLP over HTTP. */
  readonly endpoint: URL;
  /** Sent with every export, e.g. for authentication. */
  readonly headers: Readonly<Record<string, string>>;
  readonly role: string;
}

const WAITING_SPANS = 2_048; // more are dropped, which bounds the memory that an unavailable collector costs
const BATCH_SPANS = 512;
const BATCH_MS = 2_000;
const EXPORT_MS = 5_000;
const CLOSE_MS = 2_000;

/**
 * Traces by OpenTelemetry. An issue is one trace, whichever processes work on it: the 128 bits of its id are the trace id.
 * Attributes are fixed words, numbers and ids; never a user's text, a URL, a header or a command.
 */
export function openTracing({ endpoint, headers, role }: TracingOptions, log: Logger): Tracing {
  const active = new AsyncLocalStorage<Context>();
  const random = new RandomIdGenerator();
  // Set only while a root span is started, which is synchronous. A remote parent context would give the trace a
  // parent span that does not exist.
  let nextTraceId: string | null = null;
  const exporter = new OTLPTraceExporter({
    url: tracesUrl(endpoint),
    headers: { ...headers },
    timeoutMillis: EXPORT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'sluice',
      'service.version': manifest.version,
      'sluice.role': role,
    }),
    idGenerator: {
      generateTraceId: () => nextTraceId ?? random.generateTraceId(),
      generateSpanId: () => random.generateSpanId(),
    },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: quietExporter(exporter, log),
        maxQueueSize: WAITING_SPANS,
        maxExportBatchSize: BATCH_SPANS,
        scheduledDelayMillis: BATCH_MS,
        exportTimeoutMillis: EXPORT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('sluice', manifest.version);
  const here = () => active.getStore() ?? ROOT_CONTEXT;
  const spanHere = () => trace.getSpan(here());

  async function inside<T>(span: Span, work: () => Promise<T>): Promise<T> {
    try {
      return await active.run(trace.setSpan(ROOT_CONTEXT, span), work);
    } catch (error) {
      fail(span, callOutcome(error));
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    observer: {
      telemetry: {
        modelAnswered: ({ role, model, usage }) =>
          void spanHere()?.addEvent('model answered', {
            'sluice.role': role,
            'sluice.model': model,
            'sluice.input_tokens': usage.input_tokens,
            'sluice.output_tokens': usage.output_tokens,
          }),
        duringStage: ({ issueId, stage, attempt }, work) => {
          nextTraceId = issueId.replaceAll('-', '');
          const attributes = { 'sluice.issue_id': issueId, 'sluice.stage': stage, 'sluice.attempt': attempt };
          const span = tracer.startSpan(`stage ${stage}`, { root: true, attributes }, ROOT_CONTEXT);
          nextTraceId = null;
          return inside(span, work);
        },
        stageEnded: ({ outcome }) => {
          const span = spanHere();
          span?.setAttribute('sluice.outcome', outcome);
          if (span !== undefined && outcome === 'failed') fail(span, outcome);
        },
        retrievalJudged: () => undefined,
        notificationAttempted: () => undefined,
      },
      textsEmbedded: ({ model, usage }) =>
        void spanHere()?.addEvent('texts embedded', {
          'sluice.model': model,
          'sluice.input_tokens': usage.input_tokens,
        }),
      around: ({ kind, name }, work) => {
        const attributes = { 'sluice.call': kind };
        return inside(tracer.startSpan(`${kind} ${name}`, { kind: SpanKind.CLIENT, attributes }, here()), work);
      },
      requestCame: (req, res) => {
        const span = tracer.startSpan('request', { kind: SpanKind.SERVER, root: true }, ROOT_CONTEXT);
        active.enterWith(trace.setSpan(ROOT_CONTEXT, span)); // for the request handlers, which run next
        res.once('close', () => {
          const route = routeOf(res) ?? 'none';
          const method = METHODS.has(req.method ?? '') ? String(req.method) : 'other';
          span.updateName(`${method} ${route}`);
          span.setAttributes({
            'http.request.method': method,
            'http.route': route,
            'http.response.status_code': res.statusCode,
          });
          if (res.statusCode >= 500) fail(span, String(res.statusCode));
          span.end();
        });
      },
    },
    close: async () => {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, CLOSE_MS);
      await Promise.race([provider.shutdown().catch(() => undefined), late.promise]);
      clearTimeout(timer);
    },
  };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

function fail(span: Span, why: string): void {
  span.setAttribute('error.type', why);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function tracesUrl(endpoint: URL): string {
  return new URL('v1/traces', `${endpoint.href.replace(/\/+$/, '')}/`).href;
}

const QUIET_MS = 60_000;
const SUCCESS = 0; // `ExportResultCode.SUCCESS`, which would need another package

/** The exporter, logging failed exports at most once a minute. Failed spans are dropped. */
function quietExporter(exporter: SpanExporter, log: Logger): SpanExporter {
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
