import { formatDuration } from '../format/duration.ts';
import { Badge } from '../ui/badge.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';
import styles from './admin.module.css';
import type { Overview } from './overview-query.ts';

const services = [
  ['database', 'Database'],
  ['cache', 'Cache'],
  ['vector_store', 'Vector store'],
] as const;

/** Whether the server reaches what it depends on, as its readiness probe says. */
export function ReadinessSection({ readiness }: Pick<Overview, 'readiness'>) {
  return (
    <Section
      title="Readiness"
      id="readiness"
      actions={readiness.status === 'up' ? <Badge tone="good">ready</Badge> : <Badge tone="bad">not ready</Badge>}
    >
      <ul className={rows.rows}>
        {services.map(([key, name]) => {
          const { status, latency_ms: latency } = readiness.checks[key];
          return (
            <li key={key} className={rows.row}>
              <span className={rows.grow}>{name}</span>
              <span className={styles.soft}>{formatDuration(latency)}</span>
              <Badge tone={status === 'up' ? 'good' : 'bad'}>{status}</Badge>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
