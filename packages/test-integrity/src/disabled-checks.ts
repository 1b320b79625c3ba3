import type { ChangedFile, Finding } from '@sluice/core/change';

interface Switch {
  readonly in: RegExp;
  readonly off: RegExp;
  readonly what: string;
}

/** Comments and attributes that turn a check off for a whole file. Those for one line are the author's daily business. */
const switches: readonly Switch[] = [
  { in: /\.[cm]?[jt]sx?$/, off: /^\s*(?:\/\/|\/\*)\s*@ts-nocheck\b/, what: 'the type checker' },
  { in: /\.[cm]?[jt]sx?$/, off: /^\s*\/\*\s*eslint-disable\s*(?:\*\/|--)/, what: 'ESLint' },
  {
    in: /\.[cm]?[jt]sx?$/,
    off: /^\s*(?:\/\/|\/\*)\s*(?:biome-ignore-all|oxlint-disable\s*(?:\*\/|$))/,
    what: 'the linter',
  },
  { in: /\.[cm]?[jt]sx?$/, off: /^\s*\/\*\s*(?:istanbul|c8|v8) ignore file\b/, what: 'the coverage' },
  {
    in: /\.pyi?$/,
    off: /^#\s*(?:type:\s*ignore\s*$|mypy:\s*ignore-errors|pyright:\s*(?:ignore|basic|off)\b)/,
    what: 'the type checker',
  },
  {
    in: /\.pyi?$/,
    off: /^#\s*(?:flake8:\s*noqa\s*$|ruff:\s*noqa\s*$|pylint:\s*(?:skip-file|disable=all))/,
    what: 'the linter',
  },
  {
    in: /\.rs$/,
    off: /^\s*#!\[allow\((?:[^)]*\b)?(?:warnings|clippy::all|unused)\b/,
    what: 'the warnings of the compiler',
  },
  { in: /\.go$/, off: /^\/\/nolint(?::all)?\s*$/, what: 'the linter' },
  {
    in: /\.(?:java|kt)$/,
    off: /^\s*@(?:file:)?Suppress(?:Warnings)?\(\s*\{?\s*"all"/i,
    what: 'the warnings of the compiler',
  },
  { in: /\.rb$/, off: /^#\s*rubocop:disable\s+all\b/, what: 'the linter' },
];

/** Only its head says that a file is generated; generators turn checks off by themselves. */
const GENERATED = /\bgenerated\b|do not edit/i;
const HEAD = 1_000; // characters

/** The checks that a change turns off for whole files. */
export function disabledChecks(files: readonly ChangedFile[]): Finding[] {
  return files.flatMap(({ path, before, after }) => {
    if (after === null || GENERATED.test(after.slice(0, HEAD))) return [];
    const known = switches.filter((one) => one.in.test(path));
    if (known.length === 0) return [];
    const lines = after.split('\n');
    return known.flatMap(({ off, what }): Finding[] => {
      const at = lines.findIndex((line) => off.test(line));
      if (at === -1 || before?.split('\n').some((line) => off.test(line)) === true) return [];
      return [{ kind: 'checks_disabled', path, line: at + 1, detail: `The change turns ${what} off for this file.` }];
    });
  });
}
