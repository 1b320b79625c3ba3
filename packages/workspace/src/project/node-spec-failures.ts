import { cutName } from './cut-name.ts';
import { type Failure, failedAs, isSourceFile } from './failure.ts';
import { type ChainNode, emptyNode, MAX_DEPTH, nodesOf, type TestChain } from './test-chain.ts';
import { namedFile, testName } from './test-name.ts';

const INDENT = 2;
const FAILED = /^( *)✖ (.+) \([\d.]+ms\)$/;

/**
 * Reads node:test's spec reporter. Its closing list "failing tests:" tells the file but not the suites, the tree above
 * it the suites but not the file. Where the two agree on the tests, the names have both; else the closing list counts,
 * as the tree is mixed with whatever the tests print.
 */
export function nodeSpecFailures(lines: readonly string[]): Failure[] {
  const start = lines.lastIndexOf('✖ failing tests:');
  if (start < 0) return []; // all passed, or it was cut off: then what the tree shows is not all of it
  const chains = treeFailures(lines.slice(0, start));
  const listed = listedFailures(lines.slice(start));
  const names = new Set(listed.map(({ name }) => name));
  const own = chains.filter((chain) => names.has(chain.at(-1) ?? ''));
  const agree = own.length === listed.length && own.every((chain, at) => chain.at(-1) === listed[at]?.name);
  return listed.map(({ file, name }, at) =>
    failedAs(testName(file, ...(agree ? (own[at] ?? [name]) : [name])), isSourceFile(name)),
  );
}

function listedFailures(lines: readonly string[]): { file: string; name: string }[] {
  return lines.flatMap((line, at) => {
    const file = /^test at (.+):\d+:\d+$/.exec(line)?.[1];
    const name = FAILED.exec(lines[at + 1] ?? '')?.[2];
    if (file === undefined || name === undefined) return [];
    return [{ file: namedFile(file), name: cutName(name) }];
  });
}

/** Failed tests with the suites around them; a suite that failed because of its tests is not among them. */
function treeFailures(lines: readonly string[]): TestChain[] {
  const failures: TestChain[] = [];
  const seen: ChainNode<'failed inside'> = emptyNode();
  const suites: string[] = [];
  for (const line of lines) {
    const opened = /^( *)▶ (.+?)(?: \([\d.]+ms\))?$/.exec(line);
    if (opened !== null) {
      suites.splice(depthOf(opened[1]), Number.POSITIVE_INFINITY, cutName(opened[2] ?? ''));
      continue;
    }
    const failed = FAILED.exec(line);
    if (failed === null) continue;
    const chain = [...suites.slice(0, depthOf(failed[1])), cutName(failed[2] ?? '')];
    const nodes = nodesOf(seen, chain);
    if (nodes.at(-1)?.note === 'failed inside') continue;
    failures.push(chain);
    for (const outer of nodes.slice(0, -1)) outer.note = 'failed inside';
  }
  return failures;
}

function depthOf(indent: string | undefined): number {
  return Math.min((indent ?? '').length / INDENT, MAX_DEPTH);
}
