import { finish, roundOf } from './model-answers.ts';
import type { ModelAnswer, ModelRequest, ModelScript } from './model-server.ts';
import { makeScratchRepo, type ScratchRepo } from './scratch-repo.ts';

/** What the coder's command adds to `log.txt`: one line each time that it runs. */
export const LINE = 'ran';
/** How many of them the finished change holds: one of the first round, one of the third. */
export const LINES = 2;
/** How the service tells an agent that it cannot know whether a call had its effect. */
export const RESTARTED = 'The service restarted while this ran';

export const killIssue = {
  title: 'The list lacks plums',
  body: 'Add plum to the list, note the run in the log, and drop what is old.\n',
};

/** A repository whose tests fail when `count.txt` is not the number of lines in `list.txt`. */
export function makeListRepo(): ScratchRepo {
  return makeScratchRepo({
    'list.txt': 'apple\npear\n',
    'count.txt': '2\n',
    'log.txt': 'begun\n',
    'old.txt': 'no longer needed\n',
    Makefile: 'test:\n\tsh ./check.sh\n',
    'check.sh':
      '[ "$(grep -c . list.txt)" = "$(cat count.txt)" ] || { echo "not ok 1 - the list is counted"; exit 1; }\necho "ok 1 - the list is counted"\n',
  });
}

/** What the person writes to the coder while it reads. */
export const NOTE = 'Plums are fruit: say so in notes.txt.';

/**
 * Triage, a plan after searching and reading, a change that fails its tests, a fixed one that the review sends back, and
 * one that it lets pass. After each turn that changes something the coder looks, and in the next turn it repeats what
 * is not there: so a run that was killed takes as many requests as one that was not.
 *
 * @param whenReading called, and waited for, while a coder is asked for its first answer
 */
export function killScript(whenReading: () => Promise<void>): ModelScript {
  return async (request) => {
    if (request.role === 'coder' && request.turn === 0) await whenReading();
    const answer = roles[request.role](request);
    // More than any conversation has, and more with each turn: else it looks like a server that cuts requests.
    return { usage: { input: 20_000 + 700 * request.turn, output: 50 + request.turn }, ...answer };
  };
}

const roles: Record<ModelRequest['role'], (request: ModelRequest) => ModelAnswer> = {
  triager: () => ({
    text: JSON.stringify({
      kind: 'bug',
      summary: 'Plum is missing.',
      acceptance_criteria: ['list.txt has plum'],
      risk: 'low',
      open_questions: [],
    }),
  }),
  planner: ({ turn }) =>
    [
      { calls: [call('search_text', { pattern: 'pear' }), call('find_code', { query: 'the list is counted' })] },
      { calls: [call('read_file', { path: 'list.txt' }), call('read_file', { path: 'check.sh' })] },
    ][turn] ?? { text: JSON.stringify(plan) },
  coder: (request) => {
    return (rounds[roundOf(request) - 1] ?? (() => ({ text: 'BLOCKED: there is no such round.' })))(request);
  },
  reviewer({ turn, texts }) {
    if (turn === 0) return { text: 'I look at it.', calls: [call('list_files', {})] };
    const isNoted = texts.join('\n').includes('CHANGES: plums');
    return {
      text: JSON.stringify({
        decision: isNoted ? 'approve' : 'request_changes',
        summary: isNoted ? 'All is there.' : 'The change is not noted.',
        findings: isNoted ? [] : ['CHANGES.txt: note the change.'],
      }),
    };
  },
};

const plan = {
  summary: 'Add plum, note it, drop the old file.',
  steps: [
    {
      title: 'Add plum',
      detail: 'Below pear; the count follows.',
      files: ['list.txt', 'count.txt', 'log.txt', 'old.txt', 'notes.txt', 'CHANGES.txt'],
    },
  ],
  acceptance_criteria: ['list.txt has plum'],
  risks: [],
  test_strategy: 'check.sh',
};

const addPlum = call('edit_file', { path: 'list.txt', old_text: 'pear\n', new_text: 'pear\npear-plum\n' });
const count = call('edit_file', { path: 'count.txt', old_text: '2', new_text: '3' });
const dropOld = call('delete_file', { path: 'old.txt' });
const run = call('run_command', { command: `echo ${LINE} >> log.txt` });
const writeNotes = call('write_file', { path: 'notes.txt', content: 'plums are fruit\n' });
const changes = call('write_file', { path: 'CHANGES.txt', content: 'CHANGES: plums\n' });
const lookAround = call('list_files', {});
const lookAt = (path: string) => call('read_file', { path });

const rounds: ((request: ModelRequest) => ModelAnswer)[] = [
  ({ turn, results, texts }) =>
    [
      { text: 'First I read.', calls: [lookAt('list.txt'), lookAt('old.txt')] },
      { text: 'Now all three.', calls: [addPlum, dropOld, run] },
      { calls: [lookAt('list.txt'), lookAt('log.txt'), lookAround] },
      {
        calls: [
          ...missing(addPlum, linesIn(results[0], 'pear-plum') === 0),
          ...missing(run, linesIn(results[1], LINE) < 1),
          ...missing(dropOld, linesIn(results[2], 'old.txt') > 0),
          ...missing(writeNotes, texts.join('\n').includes(NOTE)),
        ],
      },
    ][turn] ?? finish('Plum is added.'),
  ({ turn, results }) =>
    [
      { calls: [count] },
      { calls: [lookAt('count.txt')] },
      { calls: [...missing(count, linesIn(results[0], '3') === 0), call('run_command', { command: 'make test' })] },
    ][turn] ?? finish('The count is right now.'),
  ({ turn, results }) =>
    [
      { text: 'Noted, and run once more.', calls: [changes, run] },
      { calls: [lookAt('log.txt')] },
      { calls: [...missing(run, linesIn(results[0], LINE) < LINES), lookAround] },
    ][turn] ?? finish('The change is noted.'),
];

function call(tool: string, input: object) {
  return { tool, input };
}

function missing<T>(repeated: T, isMissing: boolean): T[] {
  return isMissing ? [repeated] : [];
}

/** How many lines of a tool's answer are, or end with, these words after the line's number. */
function linesIn(result: string | undefined, words: string): number {
  return (result ?? '').split('\n').filter((line) => line.replace(/^\d+\t/, '') === words).length;
}
