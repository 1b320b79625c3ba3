import { posix } from 'node:path';
import { plainPath } from '../tools/plan-scope.ts';
import { commandOf, failedRun } from './failed-run.ts';
import { fileWrites } from './file-writes.ts';
import { byAnswer, isNewInput } from './past-turns.ts';
import { isLook, isRefused, toldLines } from './told-lines.ts';
import { type CallWithResult, callsWithResults, hasFailed, type TranscriptMessage } from './transcript.ts';

/** The work that an agent repeats since its last progress, by the numbers of the answers in which it did, from 0. */
export interface Standstill {
  /** Runs in which the same tests failed; of several such sets the one with most runs. */
  readonly sameFailures: Repeats;
  /** Turns that wrote files outside the plan, and none of it. */
  readonly outsideWrites: Repeats;
  /** How many answers there are. */
  readonly answers: number;
}

export interface Repeats {
  readonly at: readonly number[];
  /** The calls of the latest. */
  readonly calls: readonly CallWithResult[];
}

/** Files or ranges in a row that are progress because they had not been shown: an agent may look without end. */
const MAX_LOOKS = 10;
/** Changed outcomes in a row of runs in which the same tests fail: an output may differ each time by itself. */
const MAX_OUTCOMES = 20;

/** Answers: the read of their outputs must take a process little time, and a loop shows in far fewer. */
const LOOKED_BACK = 60;

const NONE: Repeats = { at: [], calls: [] };

/** The facts since people or a correction last gave the agent something to work on. */
interface Known {
  /** The files of the plan that were written. */
  readonly touched: Set<string>;
  /** The files outside the plan that were written. */
  readonly outsiders: Set<string>;
  readonly shown: Set<string>;
  readonly failures: Set<string>;
  readonly messages: Set<string>;
  /** Commands whose last run failed. */
  readonly red: Set<string>;
  readonly runs: Map<string, Repeats>;
  /** The tests that failed in the last run that failed. */
  failing: readonly string[] | null;
  outside: Repeats;
  looks: number;
  outcomes: number;
}

/**
 * Counts what an agent repeats since its last progress. Progress is: a set of failing tests that there was not before, a
 * file of the plan that is written for the first time; and, so many times in a row, a file or range that was not shown
 * before, or another outcome of the same tests. Everything is read from the conversation, so a restart changes nothing.
 *
 * @param plannedFiles null or empty: there is no plan to be outside of
 */
export function standstill(
  transcript: readonly TranscriptMessage[],
  plannedFiles: readonly string[] | null,
): Standstill {
  const plan = new Set((plannedFiles ?? []).map(plainPath));
  const answers = byAnswer(transcript);
  const first = Math.max(0, answers.length - LOOKED_BACK);
  const trees = new Set(answers.slice(0, first).flatMap(([answer]) => answer?.tree ?? []));
  let known = nothingKnown();
  for (const [index, messages] of answers.slice(first).entries()) {
    const at = first + index;
    const tree = messages[0]?.tree;
    const isChange = tree !== undefined && !trees.has(tree);
    if (tree !== undefined) trees.add(tree);
    readTurn(known, { at, calls: callsWithResults(messages), plan, isChange });
    if (messages.some(({ kind }) => isNewInput(kind))) known = nothingKnown();
  }
  const runs = [...known.runs.values()];
  const sameFailures = runs.reduce((most, one) => (one.at.length > most.at.length ? one : most), NONE);
  return { sameFailures, outsideWrites: known.outside, answers: answers.length };
}

function nothingKnown(): Known {
  return {
    touched: new Set(),
    outsiders: new Set(),
    shown: new Set(),
    failures: new Set(),
    messages: new Set(),
    red: new Set(),
    runs: new Map(),
    failing: null,
    outside: NONE,
    looks: 0,
    outcomes: 0,
  };
}

interface Turn {
  readonly at: number;
  readonly calls: readonly CallWithResult[];
  readonly plan: ReadonlySet<string>;
  /** It left the tree in a state that it had not had. */
  readonly isChange: boolean;
}

/** Reads one turn. Its progress is looked for first, so that what it repeats counts from there on. */
function readTurn(known: Known, { at, calls, plan, isChange }: Turn): void {
  const writes = calls.flatMap((made) => writtenBy(made, { plan, isChange }));
  const planned = writes.filter((path) => plan.has(path));
  if (planned.some((path) => !known.touched.has(path))) progress(known);
  for (const path of planned) known.touched.add(path);
  for (const path of writes) if (!plan.has(path)) known.outsiders.add(path);
  if (calls.filter((made) => isFirstLook(known, made)).length > 0 && known.looks < MAX_LOOKS) {
    forget(known);
    known.looks += 1;
  }
  for (const made of calls) readRun(known, { made, at, calls });
  if (planned.length > 0) known.outside = NONE;
  else if (writes.length > 0 && plan.size > 0) known.outside = { at: [...known.outside.at, at], calls };
}

function progress(known: Known): void {
  forget(known);
  [known.looks, known.outcomes] = [0, 0];
}

function forget(known: Known): void {
  known.runs.clear();
  known.outside = NONE;
}

function readRun(known: Known, { made, at, calls }: Pick<Turn, 'at' | 'calls'> & { readonly made: CallWithResult }) {
  const command = commandOf(made);
  const isTrial = wordsOf(made).some((word) => known.outsiders.has(word));
  const failed = failedRun(made);
  if (failed === null) {
    if (!hasFailed(made.result) && known.red.delete(command)) otherOutcome(known, isTrial);
    return;
  }
  const tests = failed.tests.join('\n');
  const outcome = `${tests}\n\n${failed.message}`;
  const isOther = !known.failures.has(tests);
  if (isOther && !isTrial) otherFailures(known, failed.tests);
  else if (isOther || !known.messages.has(outcome)) otherOutcome(known, isTrial);
  known.failures.add(tests);
  known.messages.add(outcome);
  known.red.add(command);
  known.failing = failed.tests;
  const before = known.runs.get(tests)?.at ?? [];
  known.runs.set(tests, { at: before.at(-1) === at ? before : [...before, at], calls });
}

/** Failures that only come to those before are no progress for an agent that adds tests outside the plan. */
function otherFailures(known: Known, tests: readonly string[]): void {
  const { outside, failing } = known;
  progress(known);
  if (failing?.every((test) => tests.includes(test))) known.outside = outside;
}

/** Another outcome of a file of the agent's own outside the plan is a reason to go on, and none to write more of them. */
function otherOutcome(known: Known, isTrial: boolean): void {
  if (known.outcomes >= MAX_OUTCOMES) return;
  known.outcomes += 1;
  known.runs.clear();
  if (!isTrial) known.outside = NONE;
}

/** Whether a call shows a text that none before it has; a text of the agent's own is no news. */
function isFirstLook({ shown, touched, outsiders }: Known, made: CallWithResult): boolean {
  const isReading = isLook(made) ? !isRefused(made) : readers.test(commandOf(made)) && !hasFailed(made.result);
  if (!isReading) return false;
  const text = toldLines(made).join('\n');
  const isKnown = shown.has(text);
  shown.add(text);
  return !isKnown && !wordsOf(made).some((word) => touched.has(word) || outsiders.has(word));
}

/** Commands that show files. */
const readers = /^\s*(?:cd \S+ (?:&&|;) *)?(?:cat|nl|head|tail|sed -n|e?grep|rg|find|ls|git (?:show|log|blame|grep))\b/;

function wordsOf({ call }: CallWithResult): string[] {
  const { input } = call;
  if (typeof input !== 'object' || input === null) return [];
  const texts = Object.values(input).filter((value) => typeof value === 'string');
  return texts.flatMap((text) => text.split(/[\s"'`;|&<>()=:,]+/)).map(plainPath);
}

/** The files to which a command of a shell writes, below its folder. */
const targets = /(?:>>?|\b(?:tee(?: -a)?|touch)) *(["']?)([\w.@-][\w./@-]*)\1/g;

/** The files that a call wrote: of a command, those of the plan that it names, and the targets of its output. */
function writtenBy(made: CallWithResult, { plan, isChange }: Pick<Turn, 'plan' | 'isChange'>): string[] {
  const command = commandOf(made);
  if (command === '') return fileWrites(made).map(({ path }) => path);
  if (!isChange) return [];
  const words = wordsOf(made);
  const names = new Set([...words, ...words.map((word) => posix.basename(word))]);
  const planned = [...plan].filter((path) => names.has(path) || names.has(posix.basename(path)));
  return [...planned, ...[...command.matchAll(targets)].map(([, , path = '']) => plainPath(path))];
}
