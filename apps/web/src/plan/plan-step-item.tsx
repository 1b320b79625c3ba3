import type { PlanStep } from '@sluice/client';
import { visibleText } from '../format/visible-text.ts';
import styles from './plan-document.module.css';
import type { PlanPlace } from './plan-place.ts';
import { PlannedFile } from './planned-file.tsx';

interface PlanStepItemProps {
  readonly step: PlanStep;
  readonly number: number;
  readonly place: PlanPlace;
}

/** A step of a plan: its files, and its words as they were written. */
export function PlanStepItem({ step, number, place }: PlanStepItemProps) {
  return (
    <>
      <h4 className={styles.stepTitle}>
        <span className={styles.number} aria-hidden="true">
          {number}
        </span>
        <bdi>{visibleText(step.title)}</bdi>
      </h4>
      {step.files.length > 0 && (
        <ul className={styles.files} aria-label={`Files of step ${number}`}>
          {step.files.map((path) => (
            <li key={path}>
              <PlannedFile path={path} place={place} />
            </li>
          ))}
        </ul>
      )}
      {step.detail !== '' && (
        <p className={styles.detail} dir="auto">
          {visibleText(step.detail)}
        </p>
      )}
    </>
  );
}
