import { createMetrics } from './create-metrics.ts';

/** `docs/metrics.md`: every figure of ours as a table. */
export function printMetricsPage(): string {
  const metrics = createMetrics();
  metrics.watchQueue(async () => ({ queued: 0, active: 0, longAtGate: 0, oldestQueuedMs: 0 }));
  const rows = metrics
    .describe()
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, labels, help }) => {
      const shown = labels.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${shown} | ${help.replaceAll('|', '\\|')} |`;
    });
  return `<!-- Printed from apps/server/src/observability/metrics/ by "npm run gen". -->

# Metrics

With \`METRICS_PORT\` a process serves \`/metrics\` on \`HOST\`, for Prometheus and without a login: keep it from strangers. Each
process tells of itself, but for the four figures of the queue, which are the database's: take their maximum, not their sum.
Counters begin at zero with the process.

| name | type | labels | meaning |
|---|---|---|---|
${rows.join('\n')}

Besides there are the process's own figures as prom-client gives them: \`process_cpu_seconds_total\`,
\`process_resident_memory_bytes\`, \`nodejs_gc_duration_seconds\` and their like.

No label holds what a person or a repository wrote. A path that is no route of ours counts under \`none\`.

## Alerts

An event loop that is held up answers nobody: no request, no stream, no renewal of a lease. Nothing that a user or a repository
sends should hold it up for more than 200 ms of processor time. A rule for Prometheus:

\`\`\`yaml
groups:
  - name: sluice
    rules:
      - alert: SluiceEventLoopHeldUp
        expr: max_over_time(sluice_event_loop_longest_delay_seconds[5m]) > 0.5
        labels:
          severity: warning
        annotations:
          summary: The event loop of {{ $labels.instance }} was held up for {{ $value | humanizeDuration }}.
      - alert: SluiceDown
        expr: up{job="sluice"} == 0
        for: 1m # a loop that is held up for longer does not answer Prometheus either
        labels:
          severity: critical
\`\`\`

Half a second is wall-clock time, so a machine that is short of processors gives the alert too.

## Traces

With \`OTEL_EXPORTER_OTLP_ENDPOINT\` a process sends traces by OTLP over HTTP. An issue is one trace, whichever processes
work on it: its trace id is the issue's id without the dashes. It has a span for each run of a stage, and below it one for
each call of a model, command in the sandbox and call to the code host. Each request is a trace of its own, with method, route
and status. There is no query, no header, no body, no command and no text in any of them.

Traces are sent in the background. A collector that is slow or away costs 2,048 waiting spans at most; what does not fit is
dropped, and the log says so once a minute. Without the variable nothing of it is loaded.
`;
}
