import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { isSourceFile, linesOf, type SourceFile } from './source-file.ts';

/** The size of a package: lines and files of its source, and the names that others can import from it. */
interface Mass {
  readonly lines: number;
  readonly files: number;
  readonly names: number;
}

/** A row of the table of mass. */
export interface MassRow extends Mass {
  /** The capabilities that are planned in this package, and what they may add to it in all. */
  readonly planned?: Mass & { readonly for: string };
  /** Why the row was raised beyond its plan, a sentence for each time. */
  readonly raised?: readonly string[];
}

/** Names through one door. A reader looks through a list of this length, and does not look through a longer one. */
const MAX_NAMES_OF_DOOR = 120;
/** A repair may add this share without a change of the row. */
const MAX_DRIFT = 0.02;
/** A row that states more than this times what is there would let a package grow back. */
const MAX_SLACK = 1.1;

/** A door of a package: a file that its `exports` name, with the names that it exports. */
interface Door {
  readonly path: string;
  readonly names: number;
}

/** A package as it is. */
export interface MeasuredPackage {
  readonly folder: string;
  readonly mass: Mass;
  readonly doors: readonly Door[];
}

/**
 * Compares the packages with the table.
 *
 * @returns a sentence for each package that is larger than its row allows, or much smaller, and for each door that is too wide
 */
export function faultsOfMass(packages: readonly MeasuredPackage[], table: Readonly<Record<string, MassRow>>): string[] {
  const folders = new Set(packages.map(({ folder }) => folder));
  return [
    ...packages.flatMap((one) => faultsOfPackage(one, table[one.folder])),
    ...Object.keys(table)
      .filter((folder) => !folders.has(folder))
      .map((folder) => `${folder} is in the table of mass, and has no source: remove its row`),
  ];
}

function faultsOfPackage({ folder, mass, doors }: MeasuredPackage, row: MassRow | undefined): string[] {
  const wide = doors
    .filter(({ names }) => names > MAX_NAMES_OF_DOOR)
    .map(({ path, names }) => `${path} exports ${names} names, more than ${MAX_NAMES_OF_DOOR}: divide it by nouns`);
  if (row === undefined) {
    return [
      ...wide,
      `${folder} has no row in the table of mass: a new package needs an ADR, and a row (${JSON.stringify(mass)})`,
    ];
  }
  const units = ['lines', 'files', 'names'] as const;
  const faults = units.flatMap((unit) => {
    const allowed = Math.floor(row[unit] * (1 + MAX_DRIFT)) + (row.planned?.[unit] ?? 0);
    if (mass[unit] > allowed) {
      return [
        `${folder} has ${mass[unit]} ${unit}, more than its row allows (${allowed}): take something out, or raise the row and say why in one sentence`,
      ];
    }
    return row[unit] > mass[unit] * MAX_SLACK
      ? [`${folder} has only ${mass[unit]} ${unit}: lower its row from ${row[unit]}`]
      : [];
  });
  return [...wide, ...faults];
}

/**
 * Measures the packages of the product.
 *
 * @param files all files of the repository that are text
 */
export function measurePackages(files: readonly SourceFile[]): MeasuredPackage[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const sources = files.filter(({ path }) => isSourceFile(path));
  const folders = [...new Set(sources.map(({ path }) => path.split('/').slice(0, 2).join('/')))].toSorted();
  return folders.map((folder) => {
    const own = sources.filter(({ path }) => path.startsWith(`${folder}/`));
    const doors = doorsOf(folder, texts).map((path) => ({ path, names: namesOf(path, texts).size }));
    const lines = own.reduce((sum, { text }) => sum + linesOf(text), 0);
    const names = doors.reduce((sum, door) => sum + door.names, 0);
    return { folder, mass: { lines, files: own.length, names }, doors };
  });
}

/** The source files that a package's `exports` name. A `*` stands for any folder or file. */
function doorsOf(folder: string, texts: ReadonlyMap<string, string>): string[] {
  const manifest = texts.get(`${folder}/package.json`);
  if (manifest === undefined) throw new Error(`${folder} has no package.json`);
  const { exports = {} } = JSON.parse(manifest) as { readonly exports?: Readonly<Record<string, unknown>> };
  return Object.values(exports).flatMap((target) => {
    if (typeof target !== 'string') throw new Error(`${folder} has a conditional door, which is not measured`);
    const path = posix.join(folder, target);
    if (!path.includes('*')) return isSourceFile(path) && texts.has(path) ? [path] : [];
    const [before = '', after = ''] = path.split('*');
    const isDoor = new RegExp(`^${RegExp.escape(before)}[^/]+${RegExp.escape(after)}$`);
    return [...texts.keys()].filter((file) => isSourceFile(file) && isDoor.test(file));
  });
}

function namesOf(path: string, texts: ReadonlyMap<string, string>): Set<string> {
  const text = texts.get(path);
  if (text === undefined) throw new Error(`${path} is exported and does not exist`);
  const names = new Set<string>();
  for (const { entries } of parseSync(path, text).module.staticExports) {
    for (const { exportName, moduleRequest } of entries) {
      if (exportName.name !== null) names.add(exportName.name);
      else if (moduleRequest?.value.startsWith('.')) {
        for (const name of namesOf(posix.join(posix.dirname(path), moduleRequest.value), texts)) names.add(name);
      }
    }
  }
  return names;
}
