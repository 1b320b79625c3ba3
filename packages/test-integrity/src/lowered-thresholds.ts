import type { ChangedFile, Finding } from '@sluice/core/change';
import { isCheckConfiguration } from './is-check-configuration.ts';

/** A limit in a configuration: at least so much, or at most so much. */
interface Limit {
  readonly name: string;
  readonly value: number;
  readonly isFloor: boolean;
}

/** Limits that the checks enforce and that the change lowers or removes: coverage, warnings, sizes. */
export function loweredThresholds(files: readonly ChangedFile[]): Finding[] {
  const judged = files.filter(
    ({ path, after }) =>
      after !== null && !/(?:^|\/)examples?\//.test(path) && (isCheckConfiguration(path) || LIMIT_FILE.test(path)),
  );
  const everywhere = new Map(
    judged.flatMap(({ path, after }) => limitsIn(path, after)).map((limit) => [limit.name, limit]),
  );
  return judged.flatMap(({ path, before, after }): Finding[] => {
    const now = Map.groupBy(limitsIn(path, after), ({ name }) => name);
    const found = [...Map.groupBy(limitsIn(path, before), ({ name }) => name)].flatMap(([name, old]) =>
      old.flatMap((limit, index) => {
        const next = now.get(name)?.[index] ?? (now.has(name) ? null : everywhere.get(name));
        if (next === null) return [];
        if (next === undefined) return [`The limit \`${name}\` is removed (it was ${limit.value}).`];
        const isLower = limit.isFloor ? next.value < limit.value : next.value > limit.value;
        return isLower ? [`The limit \`${name}\` is lowered from ${limit.value} to ${next.value}.`] : [];
      }),
    );
    const lenient =
      count(after, INFORMS) > count(before, INFORMS) ? ['A limit only informs now: nothing fails by it.'] : [];
    return [...found, ...lenient].map((detail) => ({
      kind: 'threshold_lowered',
      path,
      line: lineOf(after, detail),
      detail,
    }));
  });
}

/** Settings that take the effect from a limit: of Codecov, JaCoCo and Gradle. */
const INFORMS = /\binformational["']?\s*:\s*true|<haltOnFailure>\s*false|\b(?:isF|f)ailOnViolation\s*=\s*false/g;

function count(text: string | null, pattern: RegExp): number {
  return text?.match(pattern)?.length ?? 0;
}

const LIMIT_FILE =
  /(?:^|\/)(?:\.?bundlesize|\.bundlewatch|budgets?|lighthouserc|\.lighthouserc|angular)[^/]*\.(?:json|js|ya?ml)$|(?:^|\/)(?:spec|test|rails)_helper\.rb$/;

const FLOOR =
  /(?:--?)?\b(test-coverage-(?:lines|branches|functions)|(?:cov-)?fail[-_]under(?:-\w+)?|min(?:imum)?[-_]?coverage|coverage[-_](?:threshold|minimum|min)|threshold-\w+|check-coverage)["']?\s*[=: ]\s*["']?(true|false|\d[\d.]*)/gi;
/** A minimum of JaCoCo. */
const MINIMUM = /\b(minimum)\s*[=>]\s*["']?(\d[\d.]*)/g;
const CEILING =
  /\b(max[-_]?warnings|max[-_]complexity|maxSize|maximumError|limit)["']?\s*[=: ]\s*["']?(\d[\d.]*)\s*([km]?)i?b?\b/gi;
/** A group of floors: `thresholds: { lines: 90 }`, `threshold:` in YAML, `"nyc": { "lines": 90 }`. */
const FLOORS = /\b(coverageThreshold|thresholds?|nyc|c8)["']?\s*[:=]\s*(\{|\n)/g;
const CODECOV = /(?:^|\/)\.?codecov\.ya?ml$/;
const FLOORS_FILE = /(?:^|\/)(?:\.nycrc|\.c8rc|\.?codecov)[^/]*$/;
const ENTRY = /["']?\b([A-Za-z_]\w*)["']?\s*:\s*["']?(-?\d[\d.]*|true|false)%?["']?(?=\s*[,}\n]|$)/g;

function limitsIn(path: string, text: string | null): Limit[] {
  if (text === null) return [];
  const floors = [...text.matchAll(FLOOR), ...text.matchAll(MINIMUM)].map(([, name = '', value = '']) =>
    limit(name, numberOf(value), true),
  );
  const ceilings = Array.from(text.matchAll(CEILING))
    .filter(([, name = '']) => name !== 'limit' || /package\.json$|size-limit|bundle/.test(path))
    .map(([, name = '', value = '', unit = '']) =>
      limit(name, Number(value) * (UNITS[unit.toLowerCase()] ?? 1), false),
    );
  const groups = FLOORS_FILE.test(path)
    ? [text]
    : Array.from(text.matchAll(FLOORS).take(MAX_GROUPS), ({ index, 0: head, 2: open }) =>
        groupAt(text, index + head.length, open === '{'),
      );
  // Codecov's `threshold` is by how much the coverage may fall.
  const entries = groups.flatMap((group) =>
    Array.from(group.matchAll(ENTRY), ([, name = '', value = '']) =>
      limit(name, numberOf(value), !(name === 'threshold' && CODECOV.test(path))),
    ),
  );
  const named = new Set(floors.map(({ name }) => name));
  return [...floors, ...ceilings, ...entries.filter(({ name }) => !named.has(name))];
}

const MAX_GROUPS = 20;
const MAX_GROUP_LENGTH = 3_000; // characters

const UNITS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

function limit(name: string, value: number, isFloor: boolean): Limit {
  return { name: name.toLowerCase().replaceAll('_', '-'), value, isFloor };
}

function numberOf(value: string): number {
  return value === 'true' ? 1 : value === 'false' ? 0 : Number(value);
}

/** Up to the brace that closes the group, or in YAML the lines that are indented. */
function groupAt(text: string, from: number, isBraced: boolean): string {
  if (!isBraced) return /^(?:[ \t]+\S[^\n]*\n?)*/.exec(text.slice(from, from + MAX_GROUP_LENGTH))?.[0] ?? '';
  let depth = 1;
  for (let at = from; at < Math.min(text.length, from + MAX_GROUP_LENGTH); at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return text.slice(from, at);
  }
  return text.slice(from, from + MAX_GROUP_LENGTH);
}

function lineOf(text: string | null, detail: string): number | null {
  const name = /`([^`]*)`/.exec(detail)?.[1] ?? '';
  const at =
    text
      ?.toLowerCase()
      .replaceAll('_', '-')
      .split('\n')
      .findIndex((line) => line.includes(name)) ?? -1;
  return at === -1 ? null : at + 1;
}
