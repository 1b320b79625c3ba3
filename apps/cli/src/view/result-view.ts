import type { IssueWire, TestReport } from '@sluice/core';
import { plainText, type Style } from './style.ts';

/** How an issue ended, in a few lines. */
export function renderResult(issue: IssueWire, style: Style): string {
  if (issue.result === null) return renderEnd(issue, style);
  const { branch, base_commit, head_commit, summary, files_changed, additions, deletions, tests } = issue.result;
  return [
    `${style(['bold', 'green'], 'Done.')} ${plainText(summary)}`,
    `${style('bold', 'Branch')}   ${style('cyan', plainText(branch))}  ${style('dim', `${base_commit.slice(0, 10)}..${head_commit.slice(0, 10)}`)}`,
    `${style('bold', 'Change')}   ${files_changed} file${files_changed === 1 ? '' : 's'}, ${style('green', `+${additions}`)} ${style('red', `-${deletions}`)}`,
    `${style('bold', 'Tests')}    ${renderTests(tests, style)}`,
  ].join('\n');
}

function renderTests(tests: TestReport | null, style: Style): string {
  if (tests === null) return style('yellow', 'none were found, so nothing was tested');
  const base = tests.base_exit_code === 0 ? style('green', 'passed') : style('red', 'failed');
  const head = tests.verdict === 'green' ? style('green', 'passed') : style('yellow', 'failed as at the base');
  return `${plainText(tests.command)}: ${base} at the base, ${head} at the head`;
}

function renderEnd(issue: IssueWire, style: Style): string {
  const reason = issue.error === null ? '' : `: ${plainText(issue.error.detail)}`;
  return `${style(['bold', 'red'], `The issue is ${issue.status}`)}${reason}`;
}
