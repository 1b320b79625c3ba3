import type { Gate } from '@sluice/client';
import { CodeSpans } from '../ui/code-spans.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './gate.module.css';

/** What an approver should know first: why the gate is there, what was found, and why approving may be in vain. */
export function GateReasons({ gate, title }: { readonly gate: Gate; readonly title: string }) {
  const { blocker } = gate;
  const reasons = gate.reasons.filter((reason) => reason !== blocker);
  const isOrdinary = gate.kind === 'plan' && reasons.length === 1; // the rule that every plan is decided on
  return (
    <>
      {blocker !== null && (
        <Notice tone="bad">
          <strong>If you approve this plan, the issue will fail.</strong>{' '}
          <span dir="auto">
            <CodeSpans text={blocker} />
          </span>
        </Notice>
      )}
      {isOrdinary && (
        <p className={styles.soft} dir="auto">
          <CodeSpans text={reasons.join()} />
        </p>
      )}
      {reasons.length > 0 && !isOrdinary && (
        <section className={styles.reasons} aria-labelledby="gate-reasons">
          <h3 id="gate-reasons">{title}</h3>
          <ul>
            {reasons.map((reason) => (
              <li key={reason} dir="auto">
                <CodeSpans text={reason} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
