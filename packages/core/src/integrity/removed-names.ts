import type { ChangedFile } from './changed-file.ts';
import { isTestFile } from './is-test-file.ts';

const DECLARED =
  /\b(?:function\*?|class|interface|enum|struct|trait|type|const|let|var|def|fn|func(?:\s*\([^)\n]*\))?|module|mod|record|object|fun|macro_rules!)\s+([A-Za-z_$][\w$]*)|^[ \t]*(?:(?:async|static|public|private|protected|override|final|get|set|export|default|abstract|synchronized)[ \t]+)*(?:[\w<>[\],.?]+[ \t]+)?([A-Za-z_$][\w$]*)[ \t]*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)[^\n;=]*\{|["']?([A-Za-z_$][\w$-]*)["']?[ \t]*[:=]/gm;
const MOST_NAMES = 5_000;

/** Names that the program declared, and that no changed file of it mentions any longer: what they were for is gone. */
export function removedNames(files: readonly ChangedFile[]): ReadonlySet<string> {
  const sources = files.filter(
    ({ path }) => !isTestFile(path) && /\.\w+$/.test(path) && !/\.(?:json|ya?ml|toml|md|lock|snap)$/.test(path),
  );
  const left = new Set(sources.flatMap(({ after }) => withoutTests(after ?? '').match(/[A-Za-z_$][\w$]*/g) ?? []));
  const removed = new Set<string>();
  for (const { path, before, after } of sources) {
    if (before === null) continue;
    for (const match of withoutTests(before).matchAll(DECLARED)) {
      const name = match[1] ?? match[2] ?? match[3];
      if (name !== undefined && name.length > 2 && !left.has(name) && removed.size < MOST_NAMES) removed.add(name);
    }
    // A module that is gone is imported by its file's name.
    if (after === null) removed.add(path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, ''));
  }
  return removed;
}

/** Rust keeps the tests of a module at its end. */
function withoutTests(source: string): string {
  const at = source.search(/^#\[cfg\(.*\btest\b.*\)\]\s*mod\b/m);
  return at === -1 ? source : source.slice(0, at);
}
