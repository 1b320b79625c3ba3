import type { ChangedFile, Finding } from '@sluice/core/change';
import { isTestFile } from './belongs-to-tests.ts';
import { lexisOf, readCode } from './code-text.ts';
import type { ComparedTests } from './compared-tests.ts';
import { partlyLooped } from './looped-lists.ts';
import type { Removed } from './removed-from-program.ts';
import { sharedTables } from './shared-tables.ts';
import { tableRows } from './table-rows.ts';
import { literalsOf, namesOf, plainCode, shareIn, tokensOf, writtenLiterals } from './tokens.ts';
import { usesRemoved } from './uses-removed.ts';

/**
 * Rows of tables that a test runs through, and that are gone: each was a test. Not those that another test took over.
 */
export function lostRows(files: readonly ChangedFile[], { kept, added }: ComparedTests, removed: Removed): Finding[] {
  const grown = kept.filter(({ before, after }) => before.code !== after.code).slice(0, MAX_CANDIDATES);
  const elsewhere = [
    ...added.slice(0, MAX_CANDIDATES).map(({ code }) => literalsOf(code)),
    ...grown.map(({ before, after }) => literalsOf(after.code).difference(literalsOf(before.code))),
  ];
  const takenIn = (code: string) => {
    const values = [...elsewhere, writtenLiterals(code)];
    return (row: string) => {
      const literals = literalsOf(row);
      const isSomewhere = literals.size === 0 || values.some((other) => shareIn(literals, other) === 1);
      return isSomewhere || usesRemoved(row, removed);
    };
  };
  const inTests = kept.flatMap(({ before, after }): Finding[] => {
    if (before.code === after.code) return [];
    const [part] = partlyLooped(after).difference(partlyLooped(before));
    if (part !== undefined && namesOf(before.code).has(part)) {
      const detail = `The test "${after.name}" runs through a part of \`${part}\` only.`;
      return [{ kind: 'test_deleted', path: after.path, line: after.line, detail }];
    }
    const [old, now] = [tableRows(before), tableRows(after)];
    const had = new Set(old.long.map(plainCode));
    const isTaken = takenIn(after.code);
    const lost = [
      ...lostOf(old.short, now.short, isTaken),
      ...lostOf(old.long, [...now.long, ...now.single.filter((row) => had.has(plainCode(row)))], isTaken),
    ];
    const file = lost.length === 0 ? '' : codeOf(files.find(({ path }) => path === after.path));
    const gone = lost.filter((row) => row.length < LONG_ROW || !file.includes(plainCode(row)));
    return gone.length === 0 ? [] : [finding(`"${after.name}"`, gone, after)];
  });
  return [...inTests, ...lostFromShared(files, kept, takenIn)];
}

/** A file after the change, without comments: a row in one is not run. */
function codeOf(file: ChangedFile | undefined): string {
  const [lexis, source] = [lexisOf(file?.path ?? ''), file?.after ?? ''];
  return plainCode(lexis === null ? source : readCode(source, lexis).code);
}

/** The same of tables that stand beside the tests. */
function lostFromShared(
  files: readonly ChangedFile[],
  kept: ComparedTests['kept'],
  takenIn: (code: string) => (row: string) => boolean,
): Finding[] {
  const changed = files.filter(({ path, before, after }) => before !== null && after !== null && isTestFile(path));
  if (changed.length === 0) return [];
  const used = new Set(kept.flatMap(({ after }) => [...namesAndTexts(after.code)]));
  return changed.flatMap(({ path, before, after }): Finding[] => {
    const now = sharedTables(path, after ?? '');
    return [...sharedTables(path, before ?? '')].flatMap(([name, rows]): Finding[] => {
      const left = now.get(name);
      if (left === undefined || !used.has(name)) return [];
      const lost = lostOf(rows, left, takenIn(after ?? ''));
      return lost.length === 0 ? [] : [finding(`\`${name}\``, lost, { path, line: null })];
    });
  });
}

const namesAndTexts = (code: string) => [...namesOf(code), ...literalsOf(code)];

function finding(table: string, lost: readonly string[], { path, line }: Pick<Finding, 'path' | 'line'>): Finding {
  const what = lost.length === 1 ? 'a row' : `${lost.length} rows`;
  const detail = `The table of ${table} lost ${what}: \`${lost[0]?.replaceAll(/\s+/g, ' ').trim()}\`.`;
  return { kind: 'test_deleted', path, line, detail };
}

/** A row that was changed is still there: each new row stands in the place of the one that is most like it. */
function lostOf(old: readonly string[], now: readonly string[], isTaken: (row: string) => boolean): readonly string[] {
  if (old.length < 2 || now.length === 0 || now.length >= old.length) return [];
  const [had, has] = [new Set(old.map(plainCode)), new Set(now.map(plainCode))];
  const lost = new Map(
    old.filter((row) => !has.has(plainCode(row)) && !isTaken(row)).map((row) => [row, tokensOf(row)]),
  );
  const fresh = now.filter((row) => !had.has(plainCode(row))).map(tokensOf);
  if (lost.size * fresh.length > MAX_COMPARED_PAIRS) return [];
  for (const tokens of fresh) {
    const likeness = (row: string) => shareIn(tokens, lost.get(row) ?? new Set());
    const [changed] = [...lost.keys()].sort((a, b) => likeness(b) - likeness(a));
    if (changed !== undefined) lost.delete(changed);
  }
  return [...lost.keys()];
}

const LONG_ROW = 20; // characters: a shorter one is elsewhere in the file by chance
const MAX_COMPARED_PAIRS = 10_000; // pairs of rows
const MAX_CANDIDATES = 200; // tests
