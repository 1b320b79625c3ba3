import { useEffect, useRef } from 'react';
import type { Decided } from '../events/fold-milestones.ts';
import { decisionWords } from '../format/decision-words.ts';
import { visibleText } from '../format/visible-text.ts';
import { RelativeTime } from '../ui/time.tsx';
import styles from './gate.module.css';

interface DecisionLineProps {
  readonly decided: Decided;
  readonly me: string | undefined;
  /** It was decided here just now: the buttons are gone, so the focus goes on from this line. */
  readonly takesFocus: boolean;
}

/** What a gate collapses to: who decided what, and when. */
export function DecisionLine({ decided, me, takesFocus }: DecisionLineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus && (document.activeElement === null || document.activeElement === document.body))
      line.current?.focus();
  }, [takesFocus]);
  const { action, guidance, at } = decided;
  return (
    <div ref={line} tabIndex={-1} className={styles.line} data-action={action} role="status">
      <span aria-hidden="true">{action === 'approve' ? '✓' : action === 'reject' ? '✕' : '↻'}</span>
      <div>
        {decisionWords(decided, me)} <RelativeTime at={at} />.
        {guidance !== null && (
          <details>
            <summary>The instructions</summary>
            <p className={styles.typed} dir="auto">
              {visibleText(guidance)}
            </p>
          </details>
        )}
      </div>
    </div>
  );
}
