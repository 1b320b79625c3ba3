import type { Issue } from '@sluice/client';
import { stageNames } from '../format/issue-words.ts';
import hidden from '../ui/visually-hidden.module.css';
import { type StageState, stageStates } from './stage-states.ts';
import styles from './stage-strip.module.css';

const words: Record<StageState, string> = {
  done: 'done',
  current: 'under way',
  waiting: 'waits',
  stopped: 'stopped here',
  ahead: 'not reached',
  skipped: 'not needed',
};

const marks: Record<StageState, string> = {
  done: '✓',
  current: '●',
  waiting: '‖',
  stopped: '✕',
  ahead: '',
  skipped: '–',
};

/** The nine stages of an issue in a row: which are done, and where it is. */
export function StageStrip({ issue }: { readonly issue: Pick<Issue, 'status' | 'stage' | 'error'> }) {
  return (
    <ol className={styles.strip} aria-label="Stages">
      {stageStates(issue).map(({ stage, state }) => {
        const isHere = state === 'current' || state === 'waiting' || state === 'stopped';
        return (
          <li key={stage} className={styles.stage} data-state={state} aria-current={isHere ? 'step' : undefined}>
            <span className={styles.mark} aria-hidden="true">
              {marks[state]}
            </span>
            <span className={styles.name}>{stageNames[stage]}</span>
            <span className={hidden.hidden}>: {words[state]}</span>
          </li>
        );
      })}
    </ol>
  );
}
