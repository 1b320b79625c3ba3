import { cutName } from './cut-name.ts';
import { type Failure, failedAs, isHook, isSourceFile } from './failure.ts';
import { type ChainNode, emptyNode, MAX_DEPTH, nodesOf, type TestChain } from './test-chain.ts';
import { namedFile, testName } from './test-name.ts';

interface TapResult {
  readonly chain: TestChain;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  file: string | null;
  /** Whether it failed by itself, and not only because a test inside it did; null when the report does not say. */
  byItself: boolean | null;
}

const INDENT = 4;
const RESULT = /^( *)(not )?ok\b(?: +\d+)?(?: +-)? *(.*)$/;

/** The failed tests in TAP; an outer test counts only when no inner one explains it. */
export function tapFailures(lines: readonly string[]): Failure[] {
  const failures = tapResults(lines).filter(({ outcome }) => outcome === 'failed');
  const filesInside = filesByOuterTest(failures);
  return failures.map((one) => {
    const name = testName(one.file, ...one.chain);
    const isOuter = one.byItself !== true && isExplained(one, filesInside);
    return isOuter ? { name, kind: 'outer' } : failedAs(name, isPart(one.chain));
  });
}

/** The results in TAP that have none inside them: the tests. */
export function tapLeaves(lines: readonly string[]): TapResult[] {
  const results = tapResults(lines);
  const root: ChainNode<null> = emptyNode();
  const nodes = results.map(({ chain }) => nodesOf(root, chain).at(-1));
  return results.filter((_, at) => nodes[at]?.inside.size === 0);
}

/** Names of the passed tests in TAP, with the suites that passed. */
export function tapPasses(lines: readonly string[]): string[] {
  return tapResults(lines).flatMap(({ outcome, chain }) => (outcome === 'passed' ? [testName(...chain)] : []));
}

/**
 * Reads TAP, nested as node:test (`# Subtest:` before the inner results), TAP 14 and vitest (`{` after the outer one)
 * write it. Results marked as skipped or still to do are neither failed nor passed.
 */
function tapResults(lines: readonly string[]): TapResult[] {
  if (!lines.some((line) => /^(TAP version \d+|1\.\.\d+)/.test(line))) return [];
  const results: TapResult[] = [];
  const suites: string[] = [];
  let last: TapResult | null = null;
  let diagnosticsEnd: string | null = null;
  for (const line of lines) {
    if (diagnosticsEnd !== null) {
      if (line === diagnosticsEnd) diagnosticsEnd = null;
      else if (last !== null) readDiagnostic(last, line);
      continue;
    }
    const opened = /^( *)---$/.exec(line);
    if (opened !== null) {
      diagnosticsEnd = `${opened[1]}...`;
      continue;
    }
    const subtest = /^( *)# Subtest: (.*)$/.exec(line);
    if (subtest !== null) {
      suites.splice(depthOf(subtest[1]), Number.POSITIVE_INFINITY, cutName(unescaped(subtest[2] ?? '')));
      continue;
    }
    const result = RESULT.exec(line);
    if (result === null || (result[1] ?? '').length % INDENT !== 0) continue;
    const [, indent, not, rest = ''] = result;
    const { name, excused, opensBlock } = described(rest);
    const depth = depthOf(indent);
    const outcome = excused ? 'skipped' : not === undefined ? 'passed' : 'failed';
    last = { chain: [...suites.slice(0, depth), name], outcome, file: null, byItself: null };
    results.push(last);
    suites.splice(depth, Number.POSITIVE_INFINITY, ...(opensBlock ? [name] : []));
  }
  return results;
}

function described(rest: string): { name: string; excused: boolean; opensBlock: boolean } {
  const opensBlock = /\{$/.test(rest);
  const [, before = rest, directive = ''] = /^(.*?)(?<!\\)(?:^| )# *((?:todo|skip|time=).*)$/i.exec(rest) ?? [];
  const name = cutName(unescaped((before.endsWith('{') ? before.slice(0, -1) : before).trim()));
  return { name, excused: /^(todo|skip)/i.test(directive), opensBlock };
}

function readDiagnostic(failure: TapResult, line: string): void {
  const location = /^ *location: '(.+?):\d+:\d+'$/.exec(line)?.[1];
  if (location !== undefined) failure.file ??= namedFile(location);
  const type = /^ *failureType: '(\w+)'$/.exec(line)?.[1];
  if (type !== undefined) failure.byItself ??= type !== 'subtestsFailed';
}

/** A file that could not be loaded stands where its tests would. */
function isPart(chain: TestChain): boolean {
  const own = chain.at(-1) ?? '';
  return isHook(own) || (chain.length === 1 && isSourceFile(own));
}

type FilesInside = ChainNode<Set<string | null>>;

/** The files that the failures inside of each test name. */
function filesByOuterTest(failures: readonly TapResult[]): FilesInside {
  const root: FilesInside = emptyNode();
  for (const { chain, file } of failures) {
    for (const outer of nodesOf(root, chain).slice(0, -1)) {
      outer.note ??= new Set();
      outer.note.add(file);
    }
  }
  return root;
}

function isExplained({ chain, file }: TapResult, root: FilesInside): boolean {
  const files = nodesOf(root, chain).at(-1)?.note ?? null;
  return files !== null && (file === null || files.has(null) || files.has(file));
}

function depthOf(indent: string | undefined): number {
  return Math.min((indent ?? '').length / INDENT, MAX_DEPTH);
}

function unescaped(name: string): string {
  return name.replace(/\\([#\\])/g, '$1');
}
