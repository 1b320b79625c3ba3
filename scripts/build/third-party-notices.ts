import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundledPackage } from './bundled-packages.ts';

/** The licences of the packages whose code is in a bundle, which they ask to go with it. */
export function thirdPartyNotices(packages: readonly BundledPackage[]): string {
  const notices = packages.map(
    ({ name, version, license, folder }) =>
      `${name} ${version} (${license ?? 'see below'})\n\n${licenceText(folder)}\n`,
  );
  return [...new Set(notices)].sort().join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceText(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name));
  return files.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
}
