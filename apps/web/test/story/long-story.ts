import type { SeededDatabase } from './seeded-database.ts';
import { commitOf, seedIssue } from './seeded-issue.ts';

interface Teller {
  readonly userId: string;
  readonly repoId: string;
}

const [BASE, HEAD] = [commitOf('base'), commitOf('head')];
const TURNS_A_STAGE = 248; // of two events each, with the four of the stage and its status: 500
const usage = { input_tokens: 9_000, output_tokens: 400, cost_usd: 0.1 };

/** An issue with a history of this many events, to the nearest 500. @returns its id */
export function seedLongHistory(database: SeededDatabase, teller: Teller, events: number): string {
  const issue = seedIssue({ ...teller, title: 'A long history', body: 'Of many rounds.', at: Date.now() - 86_400_000 });
  for (let round = 1; round <= events / 500; round += 1) {
    issue.status('running', 'implement');
    issue.stage('implement', { agent: 'coder', usage, detail: `round ${round}` }, () => {
      for (let turn = 1; turn <= TURNS_A_STAGE; turn += 1) {
        issue.wait(1_000);
        issue.tool('coder', {
          tool: 'read_file',
          input: { path: `src/module-${round}/file-${turn}.ts`, start_line: turn },
          ok: turn % 50 !== 0,
          summary: `round ${round} turn ${turn}: ${'lorem ipsum '.repeat(turn % 20)}`,
        });
      }
      issue.event('agent.message', { agent: 'coder', text: `Round ${round} is over.` });
    });
  }
  issue.status('completed', 'publish');
  issue.write(database, {});
  return issue.id;
}

/** An issue whose change has this many lines, in files of 200. @returns its id */
export function seedLargeChange(database: SeededDatabase, teller: Teller, lines: number): string {
  const issue = seedIssue({ ...teller, title: 'A large change', body: 'In many files.', at: Date.now() - 3_600_000 });
  issue.stage('implement', { agent: 'coder', usage });
  const files = Array.from({ length: lines / 200 }, (_, file) => ({
    path: `src/part-${file % 7}/module-${file}.ts`,
    lines: Array.from({ length: 200 }, (_, line) => {
      const text = `export const value${line} = compute(${file}, ${line}, "text of line ${line}");`;
      if (line % 5 === 1) return `-${text}`;
      return `${line % 5 === 2 ? '+' : ' '}${text.replace('compute', line % 5 === 2 ? 'computed' : 'compute')}`;
    }),
  }));
  issue.patch(files, { base: BASE, head: HEAD });
  issue.status('completed', 'publish');
  issue.write(database, {});
  return issue.id;
}

/** A command that prints so many lines, 2,000 in a second, and short ones: a log keeps the first 512 KiB of a command whole. */
export function manyLines(lines: number): string {
  return `for round in $(seq ${lines / 2_000}); do seq -w 1 2000; sleep 1; done`;
}
