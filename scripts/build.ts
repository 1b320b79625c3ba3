// Builds what the image runs: `npm run build` writes a folder that needs Node alone, `dist/` or the one named by --out.
// Its programs are `server.js` and `sluice.js`. Why it is a bundle: docs/adr/0012. They tell the commit of the checkout,
// or, where it has no git folder, the one named by --commit.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { billOfMaterials } from './build/bill-of-materials.ts';
import { copyBinaryPackages } from './build/binary-packages.ts';
import { consoleModules } from './build/bundle-console.ts';
import { bundlePrograms } from './build/bundle-programs.ts';
import { bundledPackages, readPackage } from './build/bundled-packages.ts';
import { fillCompileCache } from './build/compile-cache.ts';
import { ensureConsole } from './build/ensure-console.ts';
import { thirdPartyNotices } from './build/third-party-notices.ts';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const { values } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'dist') }, commit: { type: 'string', default: '' } },
});
const out = resolve(values.out);

/** Null where neither git nor the caller knows it. */
function commitOf(given: string): string | null {
  if (/^[0-9a-f]{40}$/.test(given)) return given;
  try {
    const args = ['--git-dir', join(root, '.git'), 'rev-parse', 'HEAD'];
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await ensureConsole(root); // before the bundle, which takes it along
const modules = await bundlePrograms({ root, out, inCheckout: false });
const bundled = bundledPackages([...modules, ...consoleModules(root)]);
const brought = copyBinaryPackages(root, join(out, 'node_modules'));
const { name, version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const gitHead = commitOf(values.commit);
const manifest = {
  name,
  version,
  private: true,
  license,
  type: 'module',
  engines,
  ...(gitHead === null ? {} : { gitHead }),
  bin: { sluice: './sluice.js' },
  // So `npm pack` takes them along, and an installation of that fetches nothing.
  dependencies: brought,
  bundleDependencies: Object.keys(brought),
};
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
writeFileSync(join(out, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(bundled));
const copied = Object.keys(brought).map((each) => readPackage(join(out, 'node_modules', each)));
writeFileSync(join(out, 'sbom.cdx.json'), billOfMaterials({ name, version, license }, [...bundled, ...copied]));
chmodSync(join(out, 'sluice.js'), 0o755);
await fillCompileCache(out);
console.log(`built ${modules.length} modules into ${out}`);
