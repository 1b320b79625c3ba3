import { type FlakyTest, listed, type TestReport, type TestRun, type UnreadReason } from '@sluice/core/pipeline';

/** Sentences about a red head: what failed, by name where names are known, and what of it failed before the change. */
export function renderRed(head: TestRun, report: TestReport): string {
  const how =
    head.ended_by === null ? `with exit code ${head.exit_code}` : `because the limit on ${head.ended_by} ended them`;
  const { new_failures, must_pass = [], failed_before = [], flaky = [] } = report;
  const concerned = [...new Set([...must_pass, ...new_failures])];
  const names = concerned.length > 0 ? concerned : head.failing;
  const named = names.length === must_pass.length ? '' : `: ${listed(must_pass)}`;
  const before = failed_before.filter((name) => !must_pass.includes(name)); // no name twice
  return [
    `The tests (\`${head.command}\`) fail ${how}.`,
    ...(names.length === 0 ? [] : [`Failing: ${listed(names)}.`]),
    ...(must_pass.length === 0 ? [] : [`To be fixed, as the issue, its plan or a review says${named}.`]),
    ...(before.length === 0 ? [] : [`Failing before the change as well: ${listed(before)}.`]),
    ...(report.red_because == null ? [] : [report.red_because]),
    ...(flaky.length === 0 ? [] : [renderFlaky(flaky)]),
    ...unreadSentence(head.unread),
  ].join(' ');
}

/** One sentence about flaky tests, with the evidence. */
export function renderFlaky(flaky: readonly FlakyTest[]): string {
  return `Flaky, failing in some runs of the same commit only: ${listed(flaky.map(({ name, failed, runs }) => `${name} (failed in ${failed} of ${runs} runs)`))}.`;
}

const unreadReasons: Readonly<Record<UnreadReason, string>> = {
  given_up: 'reading their output took too much time or memory',
  process_died: 'the service died twice while it read their output',
};

function unreadSentence(unread: TestRun['unread']): string[] {
  if (unread == null) return [];
  return [`The failing tests are unknown, because ${unreadReasons[unread]}: only the exit code counts.`];
}

/** A sentence, after a space, about an output that was not read; empty for one that was. */
export function renderUnread(unread: TestRun['unread']): string {
  return unreadSentence(unread)
    .map((sentence) => ` ${sentence}`)
    .join('');
}

/** Feedback for the coder, read before the next round. */
export function testFeedback(runs: { head: TestRun; base: TestRun | null; report: TestReport }): string {
  const { head, base, report } = runs;
  const { must_pass = [], failed_before = [] } = report;
  const lines = [renderRed(head, report)];
  if (failed_before.length === 0 && base !== null && base.exit_code !== 0) {
    lines.push('The tests failed before the change as well.');
  }
  if (report.new_failures.length > 0 && failed_before.length > must_pass.length) {
    lines.push('Fix the new failures. Leave those that failed before as they are, unless they are to be fixed.');
  }
  lines.push('The end of their output:', head.output_tail);
  return lines.join('\n');
}
