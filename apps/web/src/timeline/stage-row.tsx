import { useContext } from 'react';
import { counted, formatCost } from '../format/amounts.ts';
import { formatDuration } from '../format/duration.ts';
import { stageLabel } from '../format/issue-words.ts';
import { visibleText } from '../format/visible-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Elapsed } from '../ui/time.tsx';
import { Mark, type MarkKind } from './mark.tsx';
import { RowActionsContext } from './row-actions.ts';
import { RowFrame } from './row-frame.tsx';
import styles from './stage-row.module.css';
import type { StageRun } from './timeline-item.ts';

/** One attempt at a stage: what, who, how long, what it cost, how it ended. */
export function StageRow({ run, isOpen }: { readonly run: StageRun; readonly isOpen: boolean }) {
  const { toggle } = useContext(RowActionsContext);
  const { seq, at, stage, agent, attempt, round, durationMs, usage, detail, retry } = run;
  const cost = usage === null || (usage.cost_usd === 0 && usage.output_tokens === 0) ? null : usage;
  const { failures } = run.counts;
  const counts = countsText(run);
  const summary = run.outcome === 'failed' ? '' : visibleText(detail ?? '');
  return (
    <RowFrame
      isStage
      seq={seq}
      at={at}
      isOpen={isOpen}
      onToggle={run.entries.length === 0 ? undefined : () => toggle(seq, true)}
      mark={<OutcomeMark run={run} />}
      line={
        <>
          <span className={styles.name}>{stageLabel(stage)}</span>{' '}
          <span className={styles.who}>
            <bdi>{visibleText(agent)}</bdi>
            {round > 1 && ` · round ${round}`}
            {attempt > 1 && ` · attempt ${attempt}`}
          </span>{' '}
          {outcomeBadge(run)}{' '}
          <span className={styles.counts}>
            {counts}
            {failures > 0 && (
              <>
                {counts !== '' && ', '}
                <span className={styles.failures}>{failures} failed</span>
              </>
            )}
            {summary !== '' && `${counts === '' && failures === 0 ? '' : ' · '}${summary}`}
          </span>
        </>
      }
      meta={
        <>
          <span className={styles.duration}>
            {run.outcome === 'running' ? <Elapsed since={at} /> : durationMs !== null && formatDuration(durationMs)}
          </span>
          <span className={styles.cost}>{cost !== null && formatCost(cost.cost_usd)}</span>
        </>
      }
    >
      {run.outcome === 'failed' && (
        <p className={styles.failure} dir="auto">
          {visibleText(detail ?? '')}
          {retry !== null && ` (failure ${retry.failures} of ${retry.max_failures})`}
        </p>
      )}
    </RowFrame>
  );
}

function OutcomeMark({ run: { outcome, willRetry } }: { readonly run: StageRun }) {
  if (outcome === 'failed' && willRetry) return <Mark kind="retry" label="Failed, is tried again" />;
  return <Mark {...outcomeMarks[outcome]} />;
}

const outcomeMarks = {
  running: { kind: 'running', label: 'Running' },
  completed: { kind: 'good', label: 'Completed' },
  failed: { kind: 'bad', label: 'Failed' },
  interrupted: { kind: 'stopped', label: 'Interrupted' },
} as const satisfies Record<StageRun['outcome'], { kind: MarkKind; label: string }>;

function outcomeBadge({ outcome, willRetry }: StageRun) {
  if (outcome === 'running') return <Badge tone="accent">running</Badge>;
  if (outcome === 'interrupted') return <Badge>interrupted</Badge>;
  if (outcome === 'completed') return null;
  return willRetry ? <Badge tone="warn">failed, tried again</Badge> : <Badge tone="bad">failed</Badge>;
}

function countsText({ counts: { turns, tools, commands } }: StageRun): string {
  return [
    turns > 0 && counted(turns, 'turn'),
    tools > 0 && counted(tools, 'tool call'),
    commands > 0 && counted(commands, 'command'),
  ]
    .filter(Boolean)
    .join(', ');
}
