import type { IssueEvent } from '@sluice/core/issue';
import { LINE, LINES, RESTARTED } from './kill-scenario.ts';
import type { Kill, RecordedRun } from './recorded-run.ts';

/** Says where a run that was killed came to something else than the one that was not. Nothing, when all is well. */
export function judgeKilledRun(whole: RecordedRun, killed: RecordedRun, kill: Kill): string[] {
  const what = whole.boundaries[kill.at - 1] ?? '';
  const faults: string[] = [];
  const expectSame = (name: string, found: unknown, expected: unknown) => {
    const [now, before] = [JSON.stringify(found), JSON.stringify(expected)];
    if (now !== before) faults.push(`${name}: ${now} instead of ${before}`);
  };
  // Otherwise the two were not killed at the same place.
  expectSame('the boundary', killed.boundaries, whole.boundaries.slice(0, kill.at));
  expectSame('kills', killed.kills, 1);
  expectSame('status', killed.issue.status, whole.issue.status);
  expectSame('error', killed.issue.error, null);
  expectSame('tree', killed.tree, whole.tree);
  expectSame('message', plain(killed, killed.message), plain(whole, whole.message));
  expectSame('branches', killed.branches.length, 1);
  expectSame('commits', killed.commits, 1);
  expectSame('lines of the command', linesOf(killed), LINES);
  expectSame('plan', plain(killed, killed.issue.plan), plain(whole, whole.issue.plan));
  expectSame('result', plain(killed, killed.issue.result), plain(whole, whole.issue.result));
  expectSame('usage', killed.issue.usage, whole.issue.usage);
  expectSame('usage of the stage runs', completed(killed), completed(whole));
  // Only an answer that was lost before it was written down may be asked for again.
  const again = kill.side === 'before' && what.includes('message of assistant') ? 1 : 0;
  expectSame('requests', killed.requests, whole.requests + again);
  return [...faults, ...faultsOfEvents(whole, killed, { kill, what })];
}

function faultsOfEvents(
  whole: RecordedRun,
  killed: RecordedRun,
  { kill, what }: { kill: Kill; what: string },
): string[] {
  const faults: string[] = [];
  const { events } = killed;
  if (events.some(({ seq }, index) => seq !== index + 1)) faults.push('the events have gaps');
  const results = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'agent.tool_call') results.set(event.data.call_id, results.get(event.data.call_id) ?? 0);
    if (event.type === 'agent.tool_result') results.set(event.data.call_id, (results.get(event.data.call_id) ?? 0) + 1);
  }
  const isUndone = events.some(
    (event) => event.type === 'agent.message' && event.data.text.includes('had to be prepared again'),
  );
  for (const [id, times] of results) {
    // Work in a lost tree is repeated, and both results are in the log.
    if (times !== 1 && !(isUndone && times === 2)) faults.push(`call ${id} has ${times} results`);
  }
  const told = events.filter(isRestarted).length;
  // A call is reported where its effect had begun and its result was not written.
  const isOpen = kill.side === 'after' ? what.endsWith(': begin') : /: result(?: \+ checkpoint|$)/.test(what);
  if (told > (isOpen && kill.lost === undefined ? 1 : 0)) faults.push(`a call was reported ${told} times`);
  if (isUndone !== (kill.lost !== undefined)) faults.push(`a tree was ${isUndone ? '' : 'not '}prepared again`);
  // With a report the coder looks and, if need be, makes the call again; else the story is the same, word by word.
  const isFree = told > 0 || isUndone;
  const [story, expected] = [storyOf(killed, isFree), storyOf(whole, isFree)];
  const at = expected.findIndex((line, index) => line !== story[index]);
  if (at >= 0 || story.length !== expected.length) {
    faults.push(`the story differs at ${at}: ${story.at(at)} instead of ${expected.at(at)}`);
  }
  return faults;
}

function isRestarted(event: IssueEvent): boolean {
  return event.type === 'agent.tool_result' && event.data.summary.includes(RESTARTED);
}

/** Commands may run again, a stage may begin again, and how often the change is saved is a matter of time. */
const OF_NO_ACCOUNT: readonly string[] = ['stage.started', 'command.started', 'command.finished', 'diff.updated'];

function storyOf(run: RecordedRun, withoutCalls: boolean): string[] {
  return run.events
    .filter((event) => !OF_NO_ACCOUNT.includes(event.type))
    .filter((event) => !withoutCalls || !(event.type.startsWith('agent.tool_') || isService(event)))
    .map((event) => plain(run, [event.type, event.data]));
}

function isService(event: IssueEvent): boolean {
  return event.type === 'agent.message' && event.data.agent === 'service';
}

const TIMED = ['created_at', 'updated_at', 'started_at', 'queued_at', 'duration_ms', 'attempt'];
const NAMED = ['id', 'repo_id', 'user_id', 'created_by', 'call_id', 'branch'];

/** Without what differs from run to run: times, ids and the commits' names, which hold times. */
function plain(run: RecordedRun, value: unknown): string {
  const text = JSON.stringify(value, (key, member: unknown) =>
    TIMED.includes(key) || NAMED.includes(key) ? undefined : member,
  );
  return (text ?? '')
    .replaceAll(run.issue.id, 'ISSUE')
    .replaceAll(run.branches[0] ?? 'main', 'BRANCH')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'HASH') // of a plan, with its base commit
    .replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT')
    .replaceAll(/after [\d.]+ s\b/g, 'after a while');
}

/** What the stage runs that came to their end took, in order. */
function completed({ steps }: RecordedRun): unknown[] {
  return steps
    .filter(({ outcome }) => outcome !== 'interrupted')
    .map(({ stage, round, outcome, usage }) => [stage, round, outcome, usage]);
}

function linesOf({ log }: RecordedRun): number {
  return log.split('\n').filter((line) => line === LINE).length;
}
