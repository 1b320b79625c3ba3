import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const pathOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const read = (path: string) => readFileSync(pathOf(path), 'utf8');

const RULES = 'deploy/prometheus/alerts.yaml';
const page = read('docs/metrics.md');
const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]*) \|/gm)];
const parts: Readonly<Record<string, readonly string[]>> = { histogram: ['_bucket', '_sum', '_count'] };
/** Every series of docs/metrics.md with its labels. */
const series = new Map(
  rows.flatMap(([, name = '', type = '', labels = '']) =>
    (parts[type] ?? ['']).map((part) => [name + part, [...labels.matchAll(/\w+/g)].map(([label]) => label)] as const),
  ),
);
/** What prom-client and Prometheus itself add. */
const others = new Set(['up', 'process_resident_memory_bytes', 'process_cpu_seconds_total']);
const OF_PROMETHEUS = new Set(['instance', 'job', 'le']);

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
}

const panels: readonly Panel[] = JSON.parse(read('deploy/grafana/dashboard.json')).panels;
const rules: readonly Rule[] = parse(read(RULES)).groups.flatMap(({ rules }: { rules: Rule[] }) => rules);
const queries = [
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
];

/** The series that a query names, with the labels that it selects or groups by. */
function namesIn(query: string): { names: string[]; labels: string[] } {
  const bare = query.replaceAll(/"[^"]*"/g, '""').replaceAll('$__rate_interval', '5m');
  const names = [...bare.matchAll(/\b(?:sluice|process|nodejs)_\w+|\bup\b/g)].map(([name]) => name);
  const grouped = [...bare.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim()),
  );
  const selected = [...bare.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*""/g)].map(([, label = '']) => label);
  return { names, labels: [...grouped, ...selected] };
}

describe('the dashboard and the alerts', () => {
  it.each(queries)('asks for metrics and labels that docs/metrics.md has: %s', (_, query) => {
    const { names, labels } = namesIn(query);
    expect(names).not.toEqual([]);
    for (const name of names) expect(series.has(name) || others.has(name), name).toBe(true);
    const known = new Set(names.flatMap((name) => series.get(name) ?? []));
    for (const label of labels) expect(known.has(label) || OF_PROMETHEUS.has(label), label).toBe(true);
  });

  it('alerts on the requests of users, not on probes or unknown paths', () => {
    const alert = rules.find((rule) => rule.alert === 'SluiceRequestsFail');
    const patterns = [...(alert?.expr ?? '').matchAll(/route!~"([^"]*)"/g)].map(
      ([, text]) => new RegExp(`^(?:${text})$`),
    );
    const routes = [...Object.keys(JSON.parse(read('docs/openapi.json')).paths), 'none'];
    expect(patterns).toHaveLength(2);
    for (const pattern of patterns) {
      expect(routes.filter((route) => pattern.test(route))).toEqual(['/api/health/live', '/api/health/ready', 'none']);
    }
  });

  it('shows every metric of docs/metrics.md that a person can act on', () => {
    const asked = new Set(queries.flatMap(([, query]) => namesIn(query).names));
    const missing = rows
      .map(([, name = '', type = '']) => ({ name, series: (parts[type] ?? ['']).map((part) => name + part) }))
      .filter(({ series }) => !series.some((one) => asked.has(one)))
      .map(({ name }) => name);
    expect(missing).toEqual([
      'sluice_audit_seal',
      'sluice_embedding_answers_without_price_total',
      'sluice_embedding_tokens_total',
      'sluice_model_answers_total',
      'sluice_model_answers_without_price_total',
      'sluice_retrieval_precision',
      'sluice_retrieval_recall',
    ]);
  });

  it('are rules that Prometheus accepts', (context) => {
    const checked = spawnSync('promtool', ['check', 'rules', pathOf(RULES)], { encoding: 'utf8' });
    if (checked.error !== undefined) context.skip('promtool is not on this machine');
    expect([checked.status, checked.stderr]).toEqual([0, '']);
  });

  it('gives every rule a severity and a summary, and every panel a title and a query', () => {
    for (const rule of rules) {
      expect(rule, rule.alert).toMatchObject({
        labels: { severity: expect.any(String) },
        annotations: { summary: expect.any(String) },
      });
    }
    const titles = panels.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    for (const { type, title, targets = [] } of panels) expect(targets.length > 0, title).toBe(type !== 'row');
  });
});
