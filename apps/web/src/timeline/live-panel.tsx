import type { LiveText } from '../events/live-text.ts';
import { stripAnsi } from '../format/ansi.ts';
import { visibleText } from '../format/visible-text.ts';
import styles from './live-panel.module.css';

const LINES = 6;

/**
 * The text that is being written, in a box of constant height. It is silent to screen readers: the complete text is an
 * event of the timeline.
 */
export function LivePanel({ live: { answer, output } }: { readonly live: LiveText }) {
  if (answer === null && output === null) return null;
  const title = output !== null ? `$ ${visibleText(output.command)}` : `${visibleText(answer?.agent ?? '')} is writing`;
  return (
    <figure className={styles.panel} aria-hidden="true">
      <figcaption className={styles.title}>{title}</figcaption>
      <pre className={styles.text}>{lastLines(output?.text ?? answer?.text ?? '')}</pre>
    </figure>
  );
}

function lastLines(text: string): string {
  const lines = stripAnsi(text).replace(/\r\n?/g, '\n').trimEnd().split('\n');
  return visibleText(lines.slice(-LINES).join('\n'));
}
