import type { ReactNode } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { replanGuidance } from './base-words.ts';
import styles from './gate.module.css';

interface StaleBaseNoticeProps {
  /** The result of the attempt, e.g. `Not approved.` */
  readonly lead: string;
  readonly branch: string;
  /** The files that the branch has changed and that the plan changes too. */
  readonly files: readonly string[];
  /** Asks for a plan on the new base; absent once the gate is gone. */
  readonly onReplan?: ((guidance: string) => void) | undefined;
  /** What can be done instead, once the gate is gone. */
  readonly otherwise?: ReactNode;
}

/** A plan whose files have changed on its branch: it cannot be approved, only planned again. */
export function StaleBaseNotice({ lead, branch, files, onReplan, otherwise }: StaleBaseNoticeProps) {
  const replan = onReplan !== undefined && (
    <Button tone="primary" onClick={() => onReplan(replanGuidance(branch, files))}>
      Make a new plan on the new base
    </Button>
  );
  return (
    <Notice tone="warn" action={replan || otherwise}>
      <p>
        <strong>{lead}</strong> Since the plan was made, <bdi>{visibleText(branch)}</bdi> has changed files that the
        plan changes too:
      </p>
      <ul className={styles.staleFiles}>
        {files.map((path) => (
          <li key={path}>
            <code>{visibleText(path)}</code>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
