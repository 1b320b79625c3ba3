import type { ChangedFile, Finding } from '@sluice/core/change';
import type { ComparedTests } from './compared-tests.ts';
import { failedValue } from './failed-values.ts';
import type { ProgramText } from './program-text.ts';

const SNAPSHOT =
  /(?:\.(?:snap|snapshot|ambr|golden)|\.(?:approved|expected|golden|snap)\.\w+)$|(?:^|\/)(?:__snapshots__|__image_snapshots__|__screenshots__|[^/]+-snapshots|snapshots|golden|goldens)\//;

/** Whether a file is recorded output, which tests compare with what the program gives. */
export function isSnapshot(path: string): boolean {
  return SNAPSHOT.test(path);
}

interface Facts {
  readonly planned: ReadonlySet<string>;
  readonly tests: ComparedTests;
  readonly program: ProgramText;
}

/**
 * Recorded output that the change rewrites or deletes although the plan does not name the file. A folder that the plan names
 * says nothing about what was recorded in it. New records are no finding, and neither are those of tests that are gone: they
 * are told by themselves.
 */
export function rewrittenSnapshots(files: readonly ChangedFile[], { planned, tests, program }: Facts): Finding[] {
  const isAnyTestGone = tests.gone.length > 0 || tests.kept.some(({ before, after }) => before.name !== after.name);
  return files.flatMap((file): Finding[] => {
    const { path } = file;
    if (!isSnapshot(path)) return [];
    const failed = recordedFailure(file, program);
    if (failed !== null) {
      const detail = `The recorded output holds \`${failed}\` now, which looks like a mistake of the program.`;
      return [{ kind: 'snapshot_rewritten', path, line: null, detail }];
    }
    if (planned.has(path)) return [];
    const what = file.binary === undefined ? changeOfText(file, files, isAnyTestGone) : changeOfBinary(file, files);
    if (what === null) return [];
    const detail = `The recorded output ${what}, and the plan does not name the file.`;
    return [{ kind: 'snapshot_rewritten', path, line: null, detail }];
  });
}

/** A record that was changed may be planned, and not that it took over what no one can mean. New records are not compared. */
function recordedFailure({ before, after }: ChangedFile, program: ProgramText): string | null {
  if (before === null || after === null) return null;
  const old = recordsIn(before);
  const failed = [...recordsIn(after)].map(([name, text]) => failedValue(old.get(name) ?? text, text, program.after));
  return failed.find((value) => value !== null) ?? null;
}

function changeOfText(
  { before, after }: ChangedFile,
  files: readonly ChangedFile[],
  isAnyTestGone: boolean,
): string | null {
  if (before === null) return null;
  if (files.some((other) => other.before === null && other.after === before)) return null; // moved
  const [old, now] = [recordsIn(before), recordsIn(after ?? '')];
  const lost = [...old].filter(([name]) => !now.has(name));
  const changed = [...old].filter(([name, text]) => now.has(name) && now.get(name) !== text);
  if (changed.length === 0 && (lost.length === 0 || isAnyTestGone)) return null;
  return after === null ? 'is deleted' : changed.length === 0 ? 'lost records' : 'is rewritten';
}

function changeOfBinary({ path, binary }: ChangedFile, files: readonly ChangedFile[]): string | null {
  const name = path.slice(path.lastIndexOf('/'));
  if (binary === 'changed') return 'is not a text file, and is rewritten';
  const isMoved = files.some((other) => other.binary === 'new' && other.path.endsWith(name));
  return binary === 'gone' && !isMoved ? 'is deleted' : null;
}

const RECORD = /^(?:exports\[`(.*)`\] = |# name: (.*)$)/gm;

/** The records of a file by name: a file of another form is one record. */
function recordsIn(text: string): Map<string, string> {
  const heads = Array.from(text.matchAll(RECORD));
  // The head of an insta record names its source, which moves.
  if (heads.length === 0)
    return text === '' ? new Map() : new Map([['', text.replace(/^---\n[\s\S]*?\n---\n/, '').trim()]]);
  return new Map(
    heads.map(({ index, 1: exported, 2: named }, at) => [
      exported ?? named ?? '',
      text.slice(index, heads[at + 1]?.index ?? text.length).trim(),
    ]),
  );
}
