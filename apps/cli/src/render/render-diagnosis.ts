import type { Diagnosis } from '@sluice/server';
import type { Style } from '../terminal/style.ts';

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], problem: ['red', '✗'] } as const;

/** Renders one finding a line, with its fix below. */
export function renderDiagnosis(diagnosis: Diagnosis, style: Style): string {
  return diagnosis.findings
    .map(({ state, subject, detail, mend }) => {
      const [colour, mark] = MARKS[state];
      const fix = mend === null ? '' : `\n    ${style('bold', 'fix:')} ${mend}`;
      return `${style(colour, mark)} ${style('bold', subject)}  ${detail}${fix}`;
    })
    .join('\n');
}
