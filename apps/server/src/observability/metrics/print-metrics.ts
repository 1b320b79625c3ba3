import { createMetrics } from './create-metrics.ts';

/** Prints `docs/metrics.md`: a table of Sluice's own metrics, alerts and traces. */
export function printMetricsPage(): string {
  const metrics = createMetrics();
  metrics.watchQueue(async () => ({ queued: 0, active: 0, longAtGate: 0, oldestQueuedMs: 0 }));
  metrics.watchPolls(() => 0);
  const unused = { held: 0, share: null };
  metrics.watchBudgets(async () => ({ user: unused, repo: unused, installation: unused }));
  const rows = metrics
    .describe()
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, labels, help }) => {
      const shown = labels.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${shown} | ${help.replaceAll('|', '\\|')} |`;
    });
  return `<!-- Generated from apps/server/src/observability/metrics/ by "npm run gen". -->

# Metrics

With \`METRICS_PORT\` set, a process serves \`/metrics\` on \`HOST\` for Prometheus. The endpoint is unauthenticated: do not expose
it publicly. Each process reports its own metrics. The four queue metrics and the two of budgets describe the database and are the
same in every process: take their maximum, not their sum. Counters start at zero when the process starts.

| name | type | labels | meaning |
|---|---|---|---|
${rows.join('\n')}

The endpoint also serves the default metrics of prom-client, such as \`process_cpu_seconds_total\`, \`process_resident_memory_bytes\` and
\`nodejs_gc_duration_seconds\`.

No label contains text from a user or a repository. Requests to unknown paths have the route \`none\`.

## Alerts and a dashboard

\`deploy/prometheus/alerts.yaml\` has alerting rules for Prometheus, \`deploy/grafana/dashboard.json\` a dashboard for Grafana (version
10 or newer; import it, and choose the data source). Both expect every process to be scraped, as the job \`sluice\`:

\`\`\`yaml
scrape_configs:
  - job_name: sluice
    static_configs:
      - targets: ["127.0.0.1:9464"]
rule_files:
  - alerts.yaml
\`\`\`

The pods of \`deploy/kubernetes\` carry the usual scrape annotations. The job that finds pods by them usually has another name: let
its \`relabel_configs\` set \`job\` to \`sluice\` for these, or \`SluiceDown\` never fires.

While the event loop is blocked, the process serves no requests, sends no events and renews no leases. No input from a user or a
repository should block it for more than 200 ms of CPU time.

## Traces

With \`OTEL_EXPORTER_OTLP_ENDPOINT\` set, a process sends traces by OTLP over HTTP. An issue is one trace, even if several processes
work on it; its trace id is the issue's id without the dashes. The trace has a span for each attempt of a stage and, below it,
one for each model call, sandboxed command and call to the code host. Each request is a separate trace with method, route and
status. Spans contain no query, header, body, command or text.

Traces are sent in the background. If the collector is slow or unavailable, up to 2,048 spans are buffered; the rest are dropped,
and the log reports it once a minute. Without the variable, no tracing code is loaded.
`;
}
