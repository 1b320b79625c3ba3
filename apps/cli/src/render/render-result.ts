import { renderFinding } from '@sluice/core/change';
import type { IssueWire } from '@sluice/core/issue';
import { type TestReport, testFacts, type Usage } from '@sluice/core/pipeline';
import { plainLine, plainText } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { hangText } from './hang-text.ts';
import { renderList } from './render-list.ts';
import { renderUsage } from './render-usage.ts';
import { wrapText } from './wrap-text.ts';

const FOUND = 'The service found in the change';
const LABEL = 9; // `Branch   `

/** Renders how an issue ended, wrapped to `width`. */
export function renderResult(issue: IssueWire, style: Style, width: number): string {
  if (issue.result === null) return renderEnd(issue, style, width);
  const { branch, base_commit, head_commit, summary, files_changed, additions, deletions, tests, change_request_url } =
    issue.result;
  const { findings = [], answer = null } = issue.result; // absent in answers of older releases
  if (answer !== null || branch === null) {
    return [
      wrapText(`${style(['bold', 'green'], 'Answered.')} ${plainText(summary)}`, width),
      '',
      wrapText(plainText(answer ?? ''), width),
      '',
      ...models(issue.usage, style, width),
    ].join('\n');
  }
  return [
    wrapText(`${style(['bold', 'green'], 'Done.')} ${plainText(summary)}`, width),
    `${style('bold', 'Branch')}   ${style('cyan', plainLine(branch))}  ${style('dim', `${base_commit.slice(0, 10)}..${head_commit.slice(0, 10)}`)}`,
    `${style('bold', 'Change')}   ${files_changed} file${files_changed === 1 ? '' : 's'}, ${style('green', `+${additions}`)} ${style('red', `-${deletions}`)}`,
    `${style('bold', 'Tests')}    ${hangText(renderTests(tests, style), LABEL, width)}`,
    ...facts(tests, width),
    ...(change_request_url === null ? [] : [`${style('bold', 'Pull request')}  ${plainLine(change_request_url)}`]),
    ...models(issue.usage, style, width),
    ...(findings.length === 0 ? [] : [renderList({ title: FOUND, items: findings.map(renderFinding) }, style, width)]),
  ].join('\n');
}

const HEAD = {
  green: ['green', 'passed'],
  red_as_before: ['yellow', 'failed the same way'],
  red: ['red', 'failed'],
} as const satisfies Record<TestReport['verdict'], readonly [string, string]>;

function renderTests(tests: TestReport | null, style: Style): string {
  if (tests === null) return style('yellow', 'none found, so nothing was tested');
  const [colour, head] = HEAD[tests.verdict];
  return `${plainLine(tests.command)}: ${renderBase(tests.base_exit_code, style)} at the base, ${style(colour, head)} at the head`;
}

/** Further facts about the tests beside the verdict, a paragraph each. */
function facts(tests: TestReport | null, width: number): string[] {
  const sentences = tests === null ? [] : testFacts(tests);
  return sentences.map((fact) => `${' '.repeat(LABEL)}${hangText(plainLine(fact), LABEL, width)}`);
}

function renderBase(exitCode: number | null, style: Style): string {
  if (exitCode === null) return style('yellow', 'did not finish');
  return exitCode === 0 ? style('green', 'passed') : style('red', 'failed');
}

function models(usage: Usage, style: Style, width: number): string[] {
  const used = renderUsage(usage);
  return used === null ? [] : [`${style('bold', 'Models')}   ${hangText(used, LABEL, width)}`];
}

function renderEnd(issue: IssueWire, style: Style, width: number): string {
  const reason = issue.error === null ? '' : `: ${plainText(issue.error.detail)}`;
  const end = wrapText(`${style(['bold', 'red'], `Ended as ${issue.status}`)}${reason}`, width);
  return [end, ...models(issue.usage, style, width)].join('\n');
}
