import { cutName } from './cut-name.ts';
import { type Failure, failedAs, isSourceFile } from './failure.ts';
import { type ChainNode, emptyNode, MAX_DEPTH, nodesOf, type TestChain } from './test-chain.ts';
import { namedFile, testName } from './test-name.ts';

const INDENT = 2;
/** With a time, unless it was cancelled. A remark behind the time is that of a test still to do, whose failure does not count. */
const FAILED = /^(?<indent> *)✖ (?<name>.+) \([\d.]+ms\)$|^(?<indent> *)✖ (?<name>(?!.*\([\d.]+ms\)).+)$/;
const CLOSING = '✖ failing tests:';

/**
 * Reads node:test's spec reporter, of which a command may run several. Its closing list "failing tests:" tells the file but
 * not the suites, the tree above it the suites but not the file. Where the two agree on the tests, the names have both; else
 * the closing list counts, as the tree is mixed with whatever the tests print.
 */
export function nodeSpecFailures(lines: readonly string[]): Failure[] {
  const starts = lines.flatMap((line, at) => (line === CLOSING ? [at] : []));
  const failures: Failure[] = [];
  let treeAt = 0;
  for (const [index, start] of starts.entries()) {
    const { listed, end } = listedFailures(lines, start, starts[index + 1]);
    const { chains, outer } = treeFailures(lines.slice(treeAt, start));
    treeAt = end;
    for (const one of named(listed, chains)) failures.push(one); // a spread of many would overflow the stack
    for (const chain of outer) failures.push({ name: testName(...chain), kind: 'outer' });
  }
  return failures;
}

function named(listed: readonly Listed[], chains: readonly TestChain[]): Failure[] {
  const names = new Set(listed.map(({ name }) => name));
  const own = chains.filter((chain) => names.has(chain.at(-1) ?? ''));
  const agree = own.length === listed.length && own.every((chain, at) => chain.at(-1) === listed[at]?.name);
  return listed.map(({ file, name }, at) =>
    failedAs(testName(file, ...(agree ? (own[at] ?? [name]) : [name])), isSourceFile(name)),
  );
}

interface Listed {
  readonly file: string;
  readonly name: string;
}

/** @returns the entries of the list that begins at `start`, and where the next tree may begin */
function listedFailures(lines: readonly string[], start: number, before = lines.length) {
  const listed: Listed[] = [];
  let end = start + 1;
  for (let at = start + 1; at < before; at += 1) {
    const line = lines[at] ?? '';
    const file = line.startsWith('test at ') ? /^test at (.+):\d+:\d+$/.exec(line)?.[1] : undefined;
    const name = file === undefined ? undefined : FAILED.exec(lines[at + 1] ?? '')?.groups?.name;
    if (file === undefined || name === undefined) continue;
    listed.push({ file: namedFile(file), name: cutName(name) });
    end = at + 2;
  }
  return { listed, end };
}

/** Failed tests with the suites around them, and, apart, what failed because of the tests inside it. */
function treeFailures(lines: readonly string[]): { chains: TestChain[]; outer: TestChain[] } {
  const chains: TestChain[] = [];
  const outer: TestChain[] = [];
  const seen: ChainNode<'failed inside'> = emptyNode();
  const suites: string[] = [];
  for (const line of lines) {
    const opened = /^( *)▶ (.+?)(?: \([\d.]+ms\))?$/.exec(line);
    if (opened !== null) {
      suites.splice(depthOf(opened[1]), Number.POSITIVE_INFINITY, cutName(opened[2] ?? ''));
      continue;
    }
    const failed = FAILED.exec(line)?.groups;
    if (failed === undefined) continue;
    const chain = [...suites.slice(0, depthOf(failed.indent)), cutName(failed.name ?? '')];
    const nodes = nodesOf(seen, chain);
    if (nodes.at(-1)?.note === 'failed inside') {
      outer.push(chain);
      continue;
    }
    chains.push(chain);
    for (const around of nodes.slice(0, -1)) around.note = 'failed inside';
  }
  return { chains, outer };
}

function depthOf(indent: string | undefined): number {
  return Math.min((indent ?? '').length / INDENT, MAX_DEPTH);
}
