import type { Diagnosis } from '@sluice/server';
import type { Style } from '../terminal/style.ts';

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], problem: ['red', '✗'] } as const;

/** Renders one finding per line, with its fix below. */
export function renderDiagnosis(diagnosis: Diagnosis, style: Style): string {
  return diagnosis.findings
    .map(({ state, subject, detail, fix }) => {
      const [colour, mark] = MARKS[state];
      const how = fix === null ? '' : `\n    ${style('bold', 'fix:')} ${fix}`;
      return `${style(colour, mark)} ${style('bold', subject)}  ${detail}${how}`;
    })
    .join('\n');
}
