import type { TestReport } from '@sluice/client';
import { useState } from 'react';
import { counted, formatCount } from '../format/amounts.ts';
import { formatDuration } from '../format/duration.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CutText } from './cut-text.tsx';
import styles from './test-evidence.module.css';

const verdicts = {
  green: { tone: 'good', word: 'Pass', text: 'The tests pass.' },
  red_as_before: {
    tone: 'warn',
    word: 'Fail as before',
    text: 'The tests fail as they did before the change. There are no new failures.',
  },
  red: { tone: 'bad', word: 'Fail', text: 'The tests fail.' },
} as const satisfies Record<TestReport['verdict'], { tone: Tone; word: string; text: string }>;

const reproductions = {
  reproduced: { tone: 'good', text: 'A test fails without the change and passes with it.' },
  not_reproduced: { tone: 'warn', text: 'The changed tests pass without the change too: they do not show the bug.' },
  no_test: { tone: 'warn', text: 'No test was changed, so none shows the bug.' },
  unknown: { tone: 'neutral', text: 'Whether a changed test fails without the change could not be found out.' },
} as const satisfies Record<NonNullable<TestReport['reproduction']>['outcome'], { tone: Tone; text: string }>;

/** The tests of a change, beside those of the commit that it started from. */
export function TestEvidence({ tests }: { readonly tests: TestReport | null }) {
  if (tests === null)
    return (
      <section className={styles.tests} aria-label="Tests">
        <h2>Tests</h2>
        <p>No tests were run: the repository has no test command. Set one in its settings.</p>
      </section>
    );
  const { tone, word, text } = verdicts[tests.verdict];
  return (
    <section className={styles.tests} aria-label="Tests">
      <div className={styles.head}>
        <h2>Tests</h2>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p>{text}</p>
      {tests.red_because != null && (
        <p dir="auto">
          <CutText text={tests.red_because} />
        </p>
      )}
      <p className={styles.command}>
        <code dir="ltr">
          <CutText text={tests.command} />
        </code>{' '}
        in {formatDuration(tests.duration_ms)}
      </p>
      <SideBySide tests={tests} />
      <NameList title="New failures" tone="bad" names={tests.new_failures} isOpen />
      <NameList title="To be fixed by this issue, and still failing" tone="bad" names={tests.must_pass} isOpen />
      <NameList title="Why fewer tests ran than before" tone="warn" names={tests.missing} isOpen />
      <NameList title="Ran at the base and not with the change" tone="warn" names={tests.not_run} />
      <NameList
        title="Flaky"
        tone="warn"
        names={tests.flaky?.map(({ name, failed, runs }) => `${name} (failed in ${failed} of ${counted(runs, 'run')})`)}
      />
      <NameList title="Failed before the change too" tone="neutral" names={tests.failed_before} />
      {tests.base_tests != null && <BaseTests {...tests.base_tests} />}
      {tests.reproduction != null && (
        <div>
          <h3 className={styles.head}>
            Does a test show the bug?
            <Badge tone={reproductions[tests.reproduction.outcome].tone}>
              {tests.reproduction.outcome.replaceAll('_', ' ')}
            </Badge>
          </h3>
          <p>{reproductions[tests.reproduction.outcome].text}</p>
          <p dir="auto" className={styles.detail}>
            <CutText text={tests.reproduction.detail} />
          </p>
        </div>
      )}
    </section>
  );
}

function SideBySide({ tests }: { readonly tests: TestReport }) {
  const { counts, base_counts: base } = tests;
  const rows = [
    ['Result', exitText(tests.base_exit_code, 'not run'), exitText(tests.exit_code, 'ended by a limit')],
    ...(['passed', 'failed', 'skipped'] as const).map((key) => [
      `${key[0]?.toUpperCase()}${key.slice(1)}`,
      base == null ? 'unknown' : formatCount(base[key]),
      counts == null ? 'unknown' : formatCount(counts[key]),
    ]),
  ];
  const isCounted = counts != null || base != null;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <td />
          <th scope="col">Base</th>
          <th scope="col">This change</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, isCounted ? rows.length : 1).map(([name, before, after]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{before}</td>
            <td data-differs={before === after ? undefined : ''}>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function exitText(code: number | null, none: string): string {
  if (code === null) return none;
  return code === 0 ? 'succeeded (exit code 0)' : `failed (exit code ${code})`;
}

function BaseTests({ exit_code, failed }: NonNullable<TestReport['base_tests']>) {
  const text =
    exit_code === 0
      ? 'All pass.'
      : exit_code === null
        ? 'A limit ended them.'
        : `They fail (exit code ${exit_code}). The change may be meant to alter that.`;
  return (
    <div>
      <h3>With the changed tests as they were at the base</h3>
      <p>{text}</p>
      <NameList title="Fail only with the tests of the base" tone="warn" names={failed} />
    </div>
  );
}

const AT_ONCE = 20; // more are read by few

interface NameListProps {
  readonly title: string;
  readonly tone: Tone;
  readonly names: readonly string[] | undefined;
  readonly isOpen?: boolean;
}

/** Names that tests or commands gave, folded under their number. Nothing for none. */
function NameList({ title, tone, names = [], isOpen = false }: NameListProps) {
  const [shown, setShown] = useState(AT_ONCE);
  if (names.length === 0) return null;
  const more = names.length - shown;
  return (
    <details open={isOpen} className={styles.names}>
      <summary>
        {title} <Badge tone={tone}>{formatCount(names.length)}</Badge>
      </summary>
      <ul>
        {names.slice(0, shown).map((name, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two tests may have one name
          <li key={i} dir="auto">
            <CutText text={name} />
          </li>
        ))}
      </ul>
      {more > 0 && <Button onClick={() => setShown(shown + 10 * AT_ONCE)}>{`Show ${formatCount(more)} more`}</Button>}
    </details>
  );
}
