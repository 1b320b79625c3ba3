import { useState } from 'react';
import { formatCount } from '../format/amounts.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CutText } from './cut-text.tsx';
import styles from './test-evidence.module.css';

const AT_ONCE = 20; // more are read by few

interface NameListProps {
  readonly title: string;
  readonly tone: Tone;
  readonly names: readonly string[] | undefined;
  readonly isOpen?: boolean;
}

/** Names that tests or commands gave, folded under their number. Nothing for none. */
export function NameList({ title, tone, names = [], isOpen = false }: NameListProps) {
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
