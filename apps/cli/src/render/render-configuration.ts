import type { ConfigurationReport } from '@sluice/server';
import { plainLine } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { renderTable } from './render-table.ts';

/** Renders the variables that are set, with their sources, and the order of precedence. */
export function renderConfiguration(report: ConfigurationReport, style: Style): string {
  const rows = report.variables.map(({ name, value, source, path }) => [
    style('bold', name),
    value === null ? style('dim', 'set (not shown)') : plainLine(value),
    style('dim', `${source}${path === null ? '' : ` ${plainLine(path)}`}`),
  ]);
  const order = report.precedence.map(
    ({ source, path }, at) => `  ${at + 1}. ${source}${path === null ? '' : `  ${plainLine(path)}`}`,
  );
  return [
    rows.length === 0 ? 'No variable is set: all have their defaults.' : renderTable(rows),
    ['', 'What is set in one place overrides all places below it:', ...order].join('\n'),
    ...report.notes.map((note) => `${style('yellow', '!')} ${plainLine(note)}`),
    ...report.problems.map((problem) => `${style('red', '✗')} ${plainLine(problem)}`),
  ].join('\n');
}
