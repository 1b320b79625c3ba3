import { parseAnsi } from '../format/ansi.ts';
import { classNames } from './class-names.ts';
import { MarkedText } from './marked-text.tsx';
import styles from './terminal-text.module.css';

/** Terminal text in its colours. Controls that are neither colours nor styles are left out or shown by their numbers. */
export function TerminalText({ text, pattern = null }: { readonly text: string; readonly pattern?: RegExp | null }) {
  // A carriage return starts a line over in a terminal; here all that was written stays visible.
  const line = text.replaceAll('\r\n', '\n').replaceAll('\r', '↵');
  return parseAnsi(line).map((span, index) =>
    span.style.length === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity but their place
      <MarkedText key={index} text={span.text} pattern={pattern} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity but their place
      <span key={index} className={classNames(...span.style.map((name) => styles[name]))}>
        <MarkedText text={span.text} pattern={pattern} />
      </span>
    ),
  );
}
