import { resolve } from 'node:path';
import { makeReadyTasks, readyId } from '../ready/make-ready-tasks.ts';
import { chosenTasks, readyList } from '../ready/ready-list.ts';
import { readTasks, type Task } from '../task/task.ts';
import { clonesFolder, readyFolder } from './bench-folders.ts';
import { withVerifier } from './with-verifier.ts';

const GITHUB = 'https://github.com';

/** The options of commands that take the ready list. */
export const readyOptions = {
  ready: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  clones: { type: 'string', default: clonesFolder },
} as const;

interface ReadyChoice {
  /** Names of the list, with commas; empty: all. */
  readonly only: string;
  readonly clones: string;
  /** Where tasks are kept; undefined: with the bench. */
  readonly out?: string | undefined;
}

/** The rows of the ready list that a person chose. @throws UsageError that names the one that there is not */
export function readyChoice({ only }: Pick<ReadyChoice, 'only'>) {
  const names = only.split(',').map((name) => name.trim());
  return chosenTasks(
    readyList,
    names.filter((name) => name !== ''),
  );
}

/** The chosen tasks that are there. @throws UsageError when there is none */
export function madeTasks(choice: Pick<ReadyChoice, 'only'>): readonly Task[] {
  const ids = new Set(readyChoice(choice).map(readyId));
  return readTasks(readyFolder).filter(({ id }) => ids.has(id));
}

/** Makes the chosen tasks that are not there yet. @returns those that can be used here, and how many were chosen */
export async function readyTasks(
  choice: ReadyChoice,
  signal = new AbortController().signal,
): Promise<{ readonly tasks: readonly Task[]; readonly folder: string; readonly listed: number }> {
  const list = readyChoice(choice);
  const folder = resolve(choice.out ?? readyFolder);
  const given = { list, out: folder, clones: resolve(choice.clones), origin: GITHUB, signal };
  const report = (line: string) => process.stderr.write(`${line}\n`);
  const tasks = await withVerifier((verify) => makeReadyTasks({ ...given, verify, report }), signal);
  return { tasks, folder, listed: list.length };
}
