import { counted } from '../format/amounts.ts';
import type { LeftOut } from './line-gaps.ts';
import styles from './log-gap.module.css';

/** Stands where output was left out, and says how much and why. */
export function LogGap({ leftOut: { characters, lines } }: { readonly leftOut: LeftOut }) {
  const amount = counted(characters, 'character');
  return (
    <span className={styles.gap}>
      {lines === 0 ? amount : `${counted(lines, 'line')} (${amount})`} left out: of a long output, only the beginning
      and the end are kept
    </span>
  );
}
