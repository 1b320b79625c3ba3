import { resolve } from 'node:path';
import { makeReadyTasks, readyId } from '../ready/make-ready-tasks.ts';
import { chosenTasks, readyList } from '../ready/ready-list.ts';
import { readTasks, type Task } from '../task/task.ts';
import { UsageError } from '../usage/usage-error.ts';
import { clonesFolder, readyFolder } from './bench-folders.ts';
import { withVerifier } from './with-verifier.ts';

const GITHUB = 'https://github.com';

/** The options of commands that take the ready list. */
export const readyOptions = {
  ready: { type: 'boolean', default: false },
  only: { type: 'string' },
  clones: { type: 'string' },
} as const;

interface ReadyChoice {
  /** Names of the list, with commas; undefined: all. */
  readonly only?: string | undefined;
  /** Clones that are there; undefined: those of the bench. */
  readonly clones?: string | undefined;
}

/**
 * Refuses an option that the choice of the list would ignore.
 *
 * @param others options that have no meaning with `--ready`
 * @throws UsageError that names an option that would be ignored
 */
export function requireReady(
  values: Readonly<Record<string, string | boolean | undefined>>,
  others: readonly string[],
): void {
  const ignored = (values.ready === true ? others : ['only', 'clones']).find((name) => values[name] !== undefined);
  if (ignored === undefined) return;
  throw new UsageError(
    values.ready === true
      ? `--ready brings its own tasks and commands: leave out --${ignored}, or --ready.`
      : `--${ignored} chooses from the ready list: add --ready, or leave it out.`,
  );
}

/** The rows of the ready list that a person chose. @throws UsageError that names the one that there is not */
export function readyChoice({ only = '' }: Pick<ReadyChoice, 'only'>) {
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

/**
 * Makes the chosen tasks that are not there yet.
 *
 * @param out where tasks are kept
 * @returns those that can be used here, and how many were chosen
 */
export async function readyTasks(
  choice: ReadyChoice,
  {
    out = readyFolder,
    signal = new AbortController().signal,
  }: { readonly out?: string; readonly signal?: AbortSignal },
): Promise<{ readonly tasks: readonly Task[]; readonly listed: number }> {
  const list = readyChoice(choice);
  const given = { list, out, clones: resolve(choice.clones ?? clonesFolder), origin: GITHUB, signal };
  const report = (line: string) => process.stderr.write(`${line}\n`);
  const tasks = await withVerifier((verify) => makeReadyTasks({ ...given, verify, report }), signal);
  return { tasks, listed: list.length };
}
