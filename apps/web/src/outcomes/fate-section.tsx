import { formatCount } from '../format/amounts.ts';
import { closeReasons, closeWords } from '../format/close-words.ts';
import { Figure, FigureList } from '../ui/figures.tsx';
import { Section } from '../ui/section.tsx';
import { costWords, type Figures, shareWords, timeWords } from './figure-words.ts';
import styles from './outcomes.module.css';

/** The fates of all pull requests: in numbers, and the same as bars. */
export function FateSection({ figures }: { readonly figures: Figures }) {
  const { opened, merged, closed, still_open, reverted, cost_unknown } = figures;
  const rows = [
    ['Merged', merged],
    ['Closed without a merge', closed],
    ['Still open', still_open],
    ['Reverted after the merge', reverted],
  ] as const;
  return (
    <Section title="What became of them" id="fates">
      <FigureList>
        <Figure name="opened" value={formatCount(opened)} />
        <Figure name="median time to merge" value={timeWords(figures.time_to_merge_median)} />
        <Figure name="merged untouched" value={shareWords(figures.merged_untouched)} />
        <Figure name="first builds green" value={shareWords(figures.first_build_green)} />
        <Figure name="plans approved at once" value={shareWords(figures.approved_at_first_sight)} />
        <Figure name="cost per merge" value={costWords(figures.cost_per_merged_usd)} />
      </FigureList>
      <CountTable caption="Pull requests by what became of them" heading="Outcome" rows={rows} whole={opened} />
      {cost_unknown > 0 && (
        <p className={styles.soft}>
          The cost of {formatCount(cost_unknown)} of them is unknown, because a model has no known price.
        </p>
      )}
    </Section>
  );
}

interface CountTableProps {
  readonly caption: string;
  readonly heading: string;
  readonly rows: readonly (readonly [name: string, count: number])[];
  /** What a full bar is. */
  readonly whole: number;
}

/** Counts with bars beside them. */
function CountTable({ caption, heading, rows, whole }: CountTableProps) {
  return (
    <table className={styles.counts}>
      <caption className={styles.caption}>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{heading}</th>
          <th scope="col">Number</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, count]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <span className={styles.number}>{formatCount(count)}</span>
              <Bar part={count} whole={whole} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A part of a whole, drawn. The number beside it says the same, so that it is hidden from those who cannot see it. */
function Bar({ part, whole }: { readonly part: number; readonly whole: number }) {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  return (
    <span className={styles.track} aria-hidden="true">
      <span className={styles.bar} style={{ inlineSize: `${percent}%` }} />
    </span>
  );
}

/** Why people closed pull requests, as far as they have said. */
export function ReasonsSection({ figures: { closed, close_reasons } }: { readonly figures: Figures }) {
  if (closed === 0) return null;
  const reasons = closeReasons.map((reason) => [closeWords[reason], close_reasons[reason]] as const);
  const withoutReason = closed - reasons.reduce((total, [, count]) => total + count, 0);
  const rows = [
    ...reasons.filter(([, count]) => count > 0),
    ...(withoutReason > 0 ? [['Not said', withoutReason] as const] : []),
  ];
  return (
    <Section title="Why they were closed" id="reasons">
      <CountTable caption="Closed pull requests by reason" heading="Reason" rows={rows} whole={closed} />
    </Section>
  );
}
