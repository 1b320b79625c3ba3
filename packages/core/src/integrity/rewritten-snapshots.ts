import type { ChangedFile } from './changed-file.ts';
import type { ComparedTests } from './compared-tests.ts';
import type { Finding } from './finding.ts';

const SNAPSHOT =
  /(?:\.(?:snap|snapshot|ambr|golden)|\.(?:approved|expected|golden|snap)\.\w+)$|(?:^|\/)(?:__snapshots__|__image_snapshots__|snapshots|golden|goldens)\//;

/**
 * Recorded output that the change rewrites or deletes although the plan does not name the file. New records are no finding,
 * and neither are those of tests that are gone: they are told by themselves.
 */
export function rewrittenSnapshots(
  files: readonly ChangedFile[],
  { planned, tests }: { readonly planned: readonly string[]; readonly tests: ComparedTests },
): Finding[] {
  const isPlanned = (path: string) =>
    planned.some((one) => one === path || path.startsWith(one.endsWith('/') ? one : `${one}/`));
  const isAnyTestGone = tests.gone.length > 0 || tests.kept.some(({ before, after }) => before.name !== after.name);
  return files.flatMap(({ path, before, after }): Finding[] => {
    if (before === null || !SNAPSHOT.test(path) || isPlanned(path)) return [];
    if (files.some((other) => other.before === null && other.after === before)) return []; // moved
    const [old, now] = [recordsIn(before), recordsIn(after ?? '')];
    const lost = [...old].filter(([name]) => !now.has(name));
    const changed = [...old].filter(([name, text]) => now.has(name) && now.get(name) !== text);
    if (changed.length === 0 && (lost.length === 0 || isAnyTestGone)) return [];
    const what = after === null ? 'is deleted' : changed.length === 0 ? 'lost records' : 'is rewritten';
    return [
      {
        kind: 'snapshot_rewritten',
        path,
        line: null,
        detail: `The recorded output ${what}, and the plan does not name the file.`,
      },
    ];
  });
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
