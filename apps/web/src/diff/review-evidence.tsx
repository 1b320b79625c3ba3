import { visibleName } from '../format/visible-text.ts';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { Badge } from '../ui/badge.tsx';
import type { IssueDiff } from './changed-files.ts';
import { CutText } from './cut-text.tsx';
import type { DiffPlace } from './diff-reader.tsx';
import styles from './review-evidence.module.css';

type Evidence = NonNullable<IssueDiff['evidence']>;

const kinds = {
  test_deleted: 'Test deleted',
  test_skipped: 'Test skipped',
  test_focused: 'Only some tests run',
  assertion_weakened: 'Assertion weakened',
  test_vacuous: 'Test that cannot fail',
  expectation_changed: 'Expected value changed',
  threshold_lowered: 'Threshold lowered',
  snapshot_rewritten: 'Snapshot rewritten',
  test_command_changed: 'Test command changed',
  test_config_changed: 'Test configuration changed',
  checks_disabled: 'Check disabled',
  plan_not_followed: 'Plan not followed',
  not_compared: 'Not compared',
  scratch_file: 'Leftover',
} as const satisfies Record<Evidence['findings'][number]['kind'], string>;

interface FindingsProps {
  readonly findings: Evidence['findings'];
  readonly onOpen: (place: DiffPlace) => void;
}

/** The findings of the service, which compares the change with the base. Each leads to its place in the lines. */
export function Findings({ findings, onOpen }: FindingsProps) {
  return (
    <section aria-label="Findings" className={styles.section}>
      <h2>Findings</h2>
      {findings.length === 0 ? (
        <p>None: no test was weakened, and no leftover was found.</p>
      ) : (
        <ul className={styles.list}>
          {findings.map(({ kind, path, line, detail }) => (
            <li key={`${kind} ${path} ${line} ${detail}`}>
              <Badge tone="warn">{kinds[kind]}</Badge>{' '}
              <button type="button" className={styles.place} onClick={() => onOpen({ path, line })}>
                <bdi>{visibleName(path)}</bdi>
                {line !== null && `:${line}`}
              </button>
              <p dir="auto">
                <CutText text={detail} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What the reviewer said about the change. */
export function ReviewRemarks({ review }: { readonly review: Evidence['review'] }) {
  return (
    <section aria-label="Review" className={styles.section}>
      <div className={styles.head}>
        <h2>Review</h2>
        {review !== null && (
          <Badge tone={review.decision === 'approve' ? 'good' : 'bad'}>
            {review.decision === 'approve' ? 'Approved by the reviewer' : 'Changes requested'}
          </Badge>
        )}
      </div>
      {review === null ? (
        <p>The change was not reviewed yet.</p>
      ) : (
        <>
          <LazyMarkdown text={review.summary} />
          {review.findings.length > 0 && (
            <ul className={styles.list}>
              {review.findings.map((remark, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two remarks may be the same
                <li key={i}>
                  <LazyMarkdown text={remark} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  );
}
