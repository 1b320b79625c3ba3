// Bundles the programs for this checkout, into a folder below `node_modules`, unless a bundle fits the sources: `npm run
// demo` and `npm start` do it by themselves. Why, and when it is used: docs/adr/0012.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkBinaryPackages } from './build/binary-packages.ts';
import { bundlePrograms } from './build/bundle-programs.ts';

// All also run without types: plain JavaScript.
const { findPrograms, programSources, programsFolder, programsStamp, stateOf }: ProgramsStamp = await import(
  new URL('programs-stamp.mjs', import.meta.url).href
);
const { isAlive, takeLock }: HeldLock = await import(new URL('held-lock.mjs', import.meta.url).href);

interface ProgramsStamp {
  findPrograms(root: string): string | null;
  programSources(root: string): string[];
  programsFolder(root: string): string;
  programsStamp(root: string, sources: readonly string[]): string;
  stateOf(path: string): string;
}

interface HeldLock {
  isAlive(pid: number): boolean;
  takeLock(file: string): void;
}

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const folder = programsFolder(root);
const UNUSED_MS = 10 * 60_000; // between the choice of a bundle and the note of its use are some milliseconds

/** The time of each file's last change: it may have been edited and put back while the bundler read it. */
function changesOf(sources: readonly string[]): string {
  return sources.map((path) => `${path} ${statSync(join(root, path)).ctimeMs}`).join();
}

/** @throws Error when the sources change meanwhile, or a file outside of what counts goes into the bundle */
async function build(): Promise<void> {
  const sources = programSources(root);
  const changes = changesOf(sources);
  const stamp = programsStamp(root, sources);
  const out = mkdtempSync(join(folder, 'bundle-'));
  writeFileSync(join(out, `used-by-${process.pid}`), '');
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }');
  const modules = await bundlePrograms({ root, out, inCheckout: true });
  linkBinaryPackages(root, join(out, 'node_modules'));
  symlinkSync(relative(out, join(root, 'apps/web/dist')), join(out, 'console'));
  const paths = [...new Set(modules.flatMap(pathOf))];
  const ours = paths.filter((path) => !path.includes('node_modules/'));
  const uncounted = ours.filter((path) => !sources.includes(path));
  if (uncounted.length > 0) {
    throw new Error(`A change of ${uncounted[0]} would not be seen: add it to scripts/programs-stamp.mjs.`);
  }
  if (changesOf(programSources(root)) !== changes) {
    throw new Error('The sources changed while they were bundled. The next start bundles them again.');
  }
  const packageFiles = Object.fromEntries(
    paths.filter((path) => path.includes('node_modules/')).map((path) => [path, stateOf(join(root, path))]),
  );
  const record = join(folder, 'built.json');
  writeFileSync(`${record}.new`, JSON.stringify({ folder: basename(out), stamp, packageFiles }));
  renameSync(`${record}.new`, record);
}

/** The path of a module in the checkout, without what the bundler adds; none of one that is no file. */
function pathOf(id: string): string[] {
  const [path = ''] = id.split('?', 1);
  return path.startsWith('/') ? [relative(root, path)] : [];
}

/** Removes bundles that a running program cannot use any more, and those of builds that were killed. */
function removeUnused(): void {
  const current = findPrograms(root);
  for (const name of readdirSync(folder).filter((each) => each.startsWith('bundle-'))) {
    const bundle = join(folder, name);
    const users = readdirSync(bundle).flatMap((each) => /^used-by-(\d+)$/.exec(each)?.[1] ?? []);
    const isUsed = Date.now() - statSync(bundle).mtimeMs < UNUSED_MS || users.some((pid) => isAlive(Number(pid)));
    if (bundle !== current && !isUsed) rmSync(bundle, { recursive: true, force: true });
  }
}

const lock = join(root, 'node_modules/.sluice-building-programs');
try {
  takeLock(lock);
  try {
    mkdirSync(folder, { recursive: true });
    if (findPrograms(root) === null) {
      await build();
      removeUnused();
    }
  } finally {
    rmSync(lock, { force: true });
  }
} catch (error) {
  console.error(`sluice: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
