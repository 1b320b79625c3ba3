import { formatCount } from '../format/amounts.ts';
import { Section } from '../ui/section.tsx';
import { Bar } from './bar.tsx';
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
      <dl className={styles.figures}>
        <Figure name="opened" value={formatCount(opened)} />
        <Figure name="median time to merge" value={timeWords(figures.time_to_merge_median)} />
        <Figure name="merged untouched" value={shareWords(figures.merged_untouched)} />
        <Figure name="first builds green" value={shareWords(figures.first_build_green)} />
        <Figure name="plans approved at once" value={shareWords(figures.approved_at_first_sight)} />
        <Figure name="cost per merge" value={costWords(figures.cost_per_merged_usd)} />
      </dl>
      <CountTable caption="Pull requests by what became of them" heading="Outcome" rows={rows} whole={opened} />
      {cost_unknown > 0 && (
        <p className={styles.soft}>
          The cost of {formatCount(cost_unknown)} of them is unknown, because a model has no known price.
        </p>
      )}
    </Section>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
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
export function CountTable({ caption, heading, rows, whole }: CountTableProps) {
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
