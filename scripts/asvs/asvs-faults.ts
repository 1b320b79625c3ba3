import { posix } from 'node:path';
import { type AsvsRow, type CitedTest, readAsvsTable, type Verdict, verdicts } from './asvs-table.ts';
import { testTitles } from './test-titles.ts';

export interface AsvsSource {
  /** Level by id of every requirement that the page must have. */
  readonly levels: ReadonlyMap<string, 1 | 2>;
  /** Where the page is, for its links. */
  readonly pagePath: string;
  readonly page: string;
  /** The text of a file by its path from the root: null when there is none, the empty string for a folder. */
  readonly read: (path: string) => string | null;
}

const MIN_REASON = 15; // "no XML is read." is one

/** The faults of the page, each with its line where there is one. */
export function asvsFaults({ levels, pagePath, page, read }: AsvsSource): string[] {
  const rows = readAsvsTable(page);
  const known = new Map<string, ReadonlySet<string> | null>();
  const titlesOf = (file: string) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const source = read(file);
    const titles = source === null ? null : testTitles(file, source);
    known.set(file, titles);
    return titles;
  };
  const seen = new Set<string>();
  const ofRows = rows.flatMap((row) => {
    const isSecond = seen.has(row.id);
    seen.add(row.id);
    const faults = [
      ...(isSecond ? ['is there twice'] : []),
      ...faultsOfNumber(row, levels),
      ...faultsOfVerdict(row),
      ...row.tests.flatMap((test) => faultOfTest(test, titlesOf(test.file))),
      ...row.links.flatMap((target) => (leads(target) ? [] : [`links to ${target}, which is not there`])),
    ];
    return faults.map((fault) => `${pagePath}:${row.line}: ${row.id} ${fault}`);
  });
  const missing = [...levels.keys()].filter((id) => !seen.has(id));
  const summary = summaryOf(rows);
  return [
    ...ofRows,
    ...missing.map((id) => `${pagePath}: ${id} is missing`),
    ...(page.includes(summary) ? [] : [`${pagePath}: the counts are not those of the rows, which are:\n${summary}`]),
  ];

  function leads(target: string): boolean {
    if (/^https:/.test(target)) return true;
    return read(posix.join(posix.dirname(pagePath), target)) !== null;
  }
}

/** The lines of the table of counts. */
function summaryOf(rows: readonly AsvsRow[]): string {
  const count = (level: string, verdict: Verdict) =>
    rows.filter((row) => row.level === level && row.verdict === verdict).length;
  return ['L1', 'L2']
    .map((level) => `| ${level} | ${verdicts.map((one) => count(level, one)).join(' | ')} |`)
    .join('\n');
}

function faultsOfNumber({ id, level, requirement }: AsvsRow, levels: AsvsSource['levels']): string[] {
  const expected = levels.get(id);
  if (expected === undefined) return ['is not a requirement of level 1 or 2'];
  return [
    ...(level === `L${expected}` ? [] : [`is of level ${expected}, not ${level}`]),
    ...(requirement === '' ? ['does not say what is asked'] : []),
  ];
}

function faultsOfVerdict({ verdict, tests, links, reason }: AsvsRow): string[] {
  if (!(verdicts as readonly string[]).includes(verdict))
    return [`has the verdict "${verdict}"; use ${verdicts.join(', ')}`];
  if (verdict === 'met') return tests.length + links.length > 0 ? [] : ['is met without a test or a reference'];
  return reason.length >= MIN_REASON ? [] : [`is ${verdict} without a reason`];
}

function faultOfTest({ file, title }: CitedTest, titles: ReadonlySet<string> | null): string[] {
  if (titles === null) return [`cites ${file}, which is not there`];
  return titles.has(title) ? [] : [`cites "${title}", which is not a test of ${file}`];
}
