import type { TestReport, TestRun, UnreadReason } from '@sluice/core';

const NAMED_TESTS = 20; // a coder fixes no more at once, and a person reads no more

/** One sentence about a red head: what failed, by name where names are known. */
export function renderRed(head: TestRun, report: TestReport): string {
  const how =
    head.ended_by === null ? `with exit code ${head.exit_code}` : `because the limit on ${head.ended_by} ended them`;
  const names = report.new_failures.length > 0 ? report.new_failures : head.failing;
  const failing = names.length === 0 ? '' : ` Failing: ${listed(names)}.`;
  return `The tests (\`${head.command}\`) fail ${how}.${failing}${renderUnread(head.unread)}`;
}

const unreadReasons: Readonly<Record<UnreadReason, string>> = {
  given_up: 'reading their output took too much time or memory',
  process_died: 'the service died twice while it read their output',
};

/** A sentence, after a space, about an output that was not read; empty for one that was. */
export function renderUnread(unread: TestRun['unread']): string {
  if (unread == null) return '';
  return ` The failing tests are unknown, because ${unreadReasons[unread]}: only the exit code counts.`;
}

/** Feedback for the coder, read before the next round. */
export function testFeedback(runs: { head: TestRun; base: TestRun | null; report: TestReport }): string {
  const { head, base, report } = runs;
  const before = head.failing.filter((name) => !report.new_failures.includes(name));
  const lines = [renderRed(head, report)];
  if (before.length > 0) lines.push(`Failing before the change as well: ${listed(before)}.`);
  else if (base !== null && base.exit_code !== 0) lines.push('The tests failed before the change as well.');
  lines.push('The end of their output:', head.output_tail);
  return lines.join('\n');
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMED_TESTS;
  return names.slice(0, NAMED_TESTS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
