import type { Diagnosis } from '@sluice/server';
import type { Style } from '../terminal/style.ts';

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], problem: ['red', '✗'] } as const;

/** What the doctor found, a line for each, with the way to mend it below. */
export function renderDiagnosis(diagnosis: Diagnosis, style: Style): string {
  return diagnosis.findings
    .map(({ state, subject, detail, mend }) => {
      const [colour, mark] = MARKS[state];
      const how = mend === null ? '' : `\n    ${style('bold', 'mend:')} ${mend}`;
      return `${style(colour, mark)} ${style('bold', subject)}  ${detail}${how}`;
    })
    .join('\n');
}
