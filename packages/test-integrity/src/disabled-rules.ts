import type { ChangedFile, Finding } from '@sluice/core/change';

const LEVELS: Readonly<Record<string, number>> = {
  error: 2,
  deny: 2,
  forbid: 2,
  '2': 2,
  warn: 1,
  '1': 1,
  off: 0,
  allow: 0,
  '0': 0,
};
const RULE =
  /(?<![\w@/:.-])([A-Za-z@][\w@/:.-]{0,100})["']?\s*[:=]\s*(?:\[\s*|\{\s*level\s*=\s*)?["']?(error|deny|forbid|warn|off|allow|[012])\b["']?(?!\.)/g;
const LINTER =
  /(?:^|\/)(?:\.eslintrc[^/]*|eslint\.config\.[cm]?[jt]s|\.oxlintrc\.json|biome\.jsonc?|Cargo\.toml|clippy\.toml|\.stylelintrc[^/]*)$/;

const STRICT =
  /["']?\b(strict\w*|noImplicit\w*|noUnchecked\w*|noUnused\w*|noFallthrough\w*|exactOptional\w*|checkJs|disallow_\w+|warn_\w+|no_implicit_\w+|check_untyped_defs)["']?\s*[:=]\s*(true|false)/gi;
const TYPES =
  /(?:^|\/)(?:tsconfig[^/]*\.json|jsconfig\.json|mypy\.ini|setup\.cfg|pyproject\.toml|pyrightconfig\.json)$/;

const ENABLED = /(?:^|\/)(?:\.golangci\.ya?ml|\.?ruff\.toml|pyproject\.toml)$/;

/** Rules of linters and type checkers that the change turns off for the whole repository. */
export function disabledRules(files: readonly ChangedFile[]): Finding[] {
  return files.flatMap(({ path, before, after }): Finding[] => {
    if (before === null || after === null) return [];
    const off = [
      ...(LINTER.test(path) ? lowered(before, after) : []),
      ...(TYPES.test(path) ? unset(before, after) : []),
      ...(ENABLED.test(path) ? dropped(before, after) : []),
    ];
    return off.map((name) => ({
      kind: 'checks_disabled',
      path,
      line: null,
      detail: `The check \`${name}\` is turned off.`,
    }));
  });
}

function lowered(before: string, after: string): string[] {
  const levels = (text: string) =>
    new Map(Array.from(text.matchAll(RULE), ([, name = '', level = '']) => [name, LEVELS[level] ?? 0]));
  const now = levels(after);
  return [...levels(before)].flatMap(([name, level]) => (level > 0 && now.get(name) === 0 ? [name] : []));
}

function unset(before: string, after: string): string[] {
  const values = (text: string) =>
    new Map(Array.from(text.matchAll(STRICT), ([, name = '', value = '']) => [name, value.toLowerCase()]));
  const now = values(after);
  return [...values(before)].flatMap(([name, value]) => (value === 'true' && now.get(name) !== 'true' ? [name] : []));
}

/** Linters that are named in a list of those to run. */
function dropped(before: string, after: string): string[] {
  const listed = (text: string) => {
    const list = /^[ \t]*enable:[ \t]*\n\s*((?:[ \t]*-[^\n]*\n?)*)|^select[ \t]*=[ \t]*(\[[^\]]*\])/m.exec(text);
    return (list?.[1] ?? list?.[2] ?? '').match(/[\w-]*\w/g) ?? [];
  };
  const now = new Set(listed(after));
  return now.size === 0 ? [] : listed(before).filter((name) => !now.has(name));
}
