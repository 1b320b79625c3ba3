import { belongsToTests } from './belongs-to-tests.ts';
import type { ChangedFile } from './changed-file.ts';

/** Functions, classes and the like. */
const DECLARED =
  /\b(?:function\*?|class|interface|enum|struct|trait|type|def|fn|func(?:\s*\([^)\n]*\))?|module|mod|record|object|fun|macro_rules!)\s+(?:self\.)?([A-Za-z_$][\w$]*)|(?<![\w$])([A-Za-z_$][\w$]*)\s*=\s*(?:async\s+)?(?:function\b|\([^()\n]*\)\s*(?::[^=\n]+)?=>|[\w$]+\s*=>)|^[ \t]*(?:(?:async|static|public|private|protected|override|final|get|set|export|default|abstract|synchronized)[ \t]+)*(?:[\w<>[\],.?]+[ \t]+)?([A-Za-z_$][\w$]*)[ \t]*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)[^\n;=]*\{/gm;
/** Fields, options, constants: gone only where nothing mentions them any longer. */
const NAMED = /\b(?:const|let|var|val)\s+([A-Za-z_$][\w$]*)|(?<![\w$-])([A-Za-z_$][\w$-]*)["']?[ \t]*[:=](?!=)/gm;
const WORD = /[A-Za-z_$][\w$-]*/g;
const NO_SOURCE = /\.(?:json|ya?ml|toml|md|lock|snap|txt)$/;
const MOST_NAMES = 5_000;
const SHORTEST = 3; // shorter names stand for too many things

/** Names that the program declared and that the change removes from it: what they were for is gone, and so may be its tests. */
export function removedNames(files: readonly ChangedFile[]): ReadonlySet<string> {
  const sources = files
    .filter(({ path }) => !belongsToTests(path) && !NO_SOURCE.test(path))
    .map(({ path, before, after }) => ({
      path,
      before: withoutTests(before ?? ''),
      after: withoutTests(after ?? ''),
      isGone: after === null,
    }));
  const words = new Set(sources.flatMap(({ after }) => after.match(WORD) ?? []));
  const declared = new Set(sources.flatMap(({ after }) => namesIn(after, DECLARED)));
  const gone = sources.flatMap(({ path, before, isGone }) => [
    ...namesIn(before, DECLARED).filter((name) => !declared.has(name)),
    ...namesIn(before, NAMED).filter((name) => !words.has(name)),
    // A module is imported by its file's name.
    ...(isGone ? [path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')] : []),
  ]);
  return new Set(gone.filter(({ length }) => length >= SHORTEST).slice(0, MOST_NAMES));
}

function namesIn(source: string, pattern: RegExp): string[] {
  return Array.from(
    source.matchAll(pattern),
    (match) => match.slice(1).find((name) => name !== undefined) ?? '',
  ).filter((name) => !KEYWORD.test(name));
}

const KEYWORD = /^(?:if|for|while|switch|catch|return|else|match|constructor|default|function|impl|using|with)$/;

/** Rust keeps the tests of a module at its end. */
function withoutTests(source: string): string {
  const at = source.search(/^#\[cfg\([^\n]*\btest\b[^\n]*\)\]\s*mod\b/m);
  return at === -1 ? source : source.slice(0, at);
}
