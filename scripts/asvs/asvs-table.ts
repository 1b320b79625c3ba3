export const verdicts = ['met', 'not applicable', 'not met'] as const;
export type Verdict = (typeof verdicts)[number];

/** A test: the path of its file from the root, and its title as the source has it. */
export interface CitedTest {
  readonly file: string;
  readonly title: string;
}

/** One line of the tables of docs/asvs.md. */
export interface AsvsRow {
  readonly line: number;
  readonly id: string;
  readonly level: string;
  readonly requirement: string;
  readonly verdict: string;
  readonly tests: readonly CitedTest[];
  /** The targets of its links, without anchors. */
  readonly links: readonly string[];
  /** The text beside tests and links. */
  readonly reason: string;
}

const ROW = /^\|\s*(\d+\.\d+\.\d+)\s*\|(.*)\|\s*$/;
const TEST = /`([^`]+)`: \*((?:[^*\\]|\\.)+)\*/g;
const LINK = /\[[^\]]+\]\(([^)\s]+)\)/g;

/**
 * Reads the rows of the page: `| 1.2.4 | L1 | what is asked | met | evidence |`. A test is cited as `` `file`: *title* ``,
 * with a backslash before each `*`, `|`, `_` and backslash of the title.
 */
export function readAsvsTable(page: string): AsvsRow[] {
  return page.split('\n').flatMap((text, at): AsvsRow[] => {
    const [, id, rest] = ROW.exec(text) ?? [];
    if (id === undefined || rest === undefined) return [];
    const [level = '', requirement = '', verdict = '', ...more] = rest.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const evidence = more.join('|');
    const tests = [...evidence.matchAll(TEST)].map(([, file = '', title = '']) => ({ file, title: unescaped(title) }));
    const links = [...evidence.matchAll(LINK)].map(([, target = '']) => target.split('#', 1)[0] ?? '');
    const reason = evidence.replace(TEST, '').replace(LINK, '').replaceAll('<br>', ' ').trim();
    return [{ line: at + 1, id, level, requirement, verdict, tests, links, reason }];
  });
}

function unescaped(title: string): string {
  return title.replaceAll(/\\(.)/g, '$1');
}
