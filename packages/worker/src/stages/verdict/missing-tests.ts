import type { TestCounts, TestRun } from '@sluice/core/pipeline';
import { listed, NOTHING_TOUCHED, type TouchedTests } from '@sluice/core/pipeline';
import { fitsTitle } from '@sluice/test-integrity';
import { isSameTest, isWithin, partsOfName } from './test-name-parts.ts';

/** Tests of the base that did not run at the head although the change does not take them out: a sentence each, or null. */
export interface MissingTests {
  readonly byNumber: string | null;
  readonly byName: string | null;
}

/** Compares what ran at the head with what ran at the base, less what the change does to the tests in the sources. */
export function missingTests(head: TestRun, base: TestRun | null, touched = NOTHING_TOUCHED): MissingTests {
  if (base === null || base.exit_code === null || base.ended_by !== null) return { byNumber: null, byName: null };
  return { byNumber: missingByNumber(head, base, touched), byName: missingByName(head, base, touched) };
}

/** Whether fewer tests ran at the head, so that it matters what the change does to them. */
export function losesTests(head: TestRun, base: TestRun): boolean {
  const fewer = head.counts != null && ran(head.counts) < ranAtBase(base);
  return fewer || notRun(head, base).length > 0;
}

function ran({ passed, failed }: TestCounts): number {
  return passed + failed;
}

/** The fewest tests that may have run at the base: some runners count a failing test twice. */
function ranAtBase({ counts, failing }: TestRun): number {
  if (counts == null) return 0;
  return counts.passed + (failing.length > 0 ? Math.min(counts.failed, failing.length) : counts.failed);
}

function missingByNumber(head: TestRun, base: TestRun, { more }: TouchedTests): string | null {
  const [now, before] = [head.counts ?? null, base.counts ?? null];
  if (before === null || ranAtBase(base) === 0) return null;
  if (head.exit_code === 0 && base.counts_when_red === true) return null;
  if (now === null) return 'The test output says how many tests ran at the base, but not with the change.';
  if (now.passed === 0 && before.passed > 0) return `No test passes with the change; at the base ${before.passed} do.`;
  if (more === null) return null;
  const removed = Math.max(0, -more);
  const lost = ranAtBase(base) - ran(now);
  if (lost <= removed) return null;
  const tests = lost === 1 ? '1 test fewer' : `${lost} fewer tests`;
  return `${tests} ran with the change than at the base, and the change removes ${removed === 0 ? 'none' : removed}.`;
}

const FILE = /^\S+\.[cm]?[jt]sx?$/; // what node:test calls a test that is a file without any

function missingByName(head: TestRun, base: TestRun, { titles, more }: TouchedTests): string | null {
  if (titles === null) return null;
  const missing = notRun(head, base).filter((name) => !FILE.test(name) && !isTouched(name, titles));
  if (missing.length === 0) return null;
  // Titles may be made of what the program gives: then as many are new as are gone, beside those that the change adds.
  const known = new Set([...(base.passing ?? []), ...base.failing]);
  const appeared = (head.passing ?? []).filter((name) => !known.has(name));
  if (more !== null && appeared.length >= missing.length + Math.max(0, more)) return null;
  return missingNames(missing);
}

function missingNames(names: readonly string[]): string {
  return `These tests ran at the base but not with the change, although the change does not touch them: ${listed(names)}.`;
}

/** Whether a test is one of those with these titles, or in a group of such a title. */
export function isTouched(name: string, titles: readonly string[]): boolean {
  const parts = partsOfName(name);
  return titles.some((title) => name.endsWith(` ${title}`) || parts.some((part) => fitsTitle(part, title)));
}

/**
 * The tests that ran at the base and not at the head, the failures first; empty where the head does not name passed
 * tests.
 */
export function notRun(head: TestRun, base: TestRun | null): string[] {
  const { passing, failing } = head;
  if (base === null || passing == null) return [];
  const passed = new Set(passing);
  const isTest = (name: string) => base.broken?.includes(name) !== true;
  const failed = base.failing.filter(
    (name) => isTest(name) && !failing.includes(name) && !passing.some((one) => isSameTest(name, one)),
  );
  const gone = (base.passing ?? []).filter(
    (name) => !passed.has(name) && !failing.some((one) => isSameTest(one, name) || isWithin(one, name)),
  );
  return [...failed, ...gone];
}
