import type { Diagnosis } from '@sluice/server';
import type { Style } from '../terminal/style.ts';
import { hangText } from './hang-text.ts';

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], problem: ['red', '✗'] } as const;

/** Renders the findings, wrapped to `width`, each with its fix below. */
export function renderDiagnosis(diagnosis: Diagnosis, style: Style, width: number): string {
  return diagnosis.findings
    .map(({ state, subject, detail, fix }) => {
      const [colour, mark] = MARKS[state];
      const how = fix === null ? '' : `\n    ${hangText(`${style('bold', 'fix:')} ${fix}`, 4, width)}`;
      return `${hangText(`${style(colour, mark)} ${style('bold', subject)}  ${detail}`, 2, width)}${how}`;
    })
    .join('\n');
}
