import { counted } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { Badge } from '../ui/badge.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';
import { RelativeTime } from '../ui/time.tsx';
import styles from './admin.module.css';
import type { Overview, Worker } from './overview-query.ts';

/** The processes that run issues, and how well each can hold the commands of repositories. */
export function WorkersSection({ workers, slots }: Pick<Overview, 'workers' | 'slots'>) {
  return (
    <Section
      title="Workers"
      id="workers"
      about="The processes that run issues. Each says every 20 seconds that it is there, unless it has not reached the job queue for 30 seconds."
    >
      {workers.length === 0 && <p>No worker has said that it is there.</p>}
      <ul className={rows.rows}>
        {workers.map((worker) => (
          <WorkerRow key={worker.id} worker={worker} slots={slots.length} />
        ))}
      </ul>
    </Section>
  );
}

function WorkerRow({ worker, slots }: { readonly worker: Worker; readonly slots: number }) {
  const { host, pid, role, version, concurrency, seen_at, started_at, state, sandbox } = worker;
  return (
    <li className={rows.row}>
      <span className={rows.grow}>
        <span className={rows.strong}>{visibleText(host)}</span>
        <span className={rows.line}>
          process {pid}, {role === 'all' ? 'worker and API' : 'worker'}, version {visibleText(version)},{' '}
          {concurrency < slots ? `up to ${counted(concurrency, 'issue')} at a time` : 'enough for all slots'}
        </span>
        <span className={rows.line}>
          seen <RelativeTime at={seen_at} />, started <RelativeTime at={started_at} />
        </span>
        {sandbox !== null && sandbox.problem !== null && (
          <span className={rows.line}>{visibleText(sandbox.problem)}</span>
        )}
        {sandbox !== null && sandbox.gaps.length > 0 && <Gaps gaps={sandbox.gaps} />}
      </span>
      <SandboxBadge sandbox={sandbox} />
      {state === 'running' ? <Badge tone="good">running</Badge> : <Badge tone="warn">gone</Badge>}
    </li>
  );
}

function SandboxBadge({ sandbox }: Pick<Worker, 'sandbox'>) {
  if (sandbox === null) return <Badge title="It has not been tried yet.">sandbox unknown</Badge>;
  if (!sandbox.usable) return <Badge tone="bad">sandbox unusable</Badge>;
  if (sandbox.kind === 'none') return <Badge tone="bad">sandbox off</Badge>;
  return sandbox.gaps.length === 0 ? (
    <Badge tone="good">sandbox complete</Badge>
  ) : (
    <Badge tone="warn">{`sandbox with ${counted(sandbox.gaps.length, 'gap')}`}</Badge>
  );
}

function Gaps({ gaps }: { readonly gaps: readonly string[] }) {
  return (
    <ul className={styles.gaps} aria-label="What its sandbox cannot hold">
      {gaps.map((gap) => (
        <li key={gap}>{visibleText(gap)}</li>
      ))}
    </ul>
  );
}
