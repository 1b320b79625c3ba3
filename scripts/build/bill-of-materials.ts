import type { BundledPackage } from './bundled-packages.ts';

interface Product {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/**
 * The contents of a build, as CycloneDX 1.6 in JSON. It has neither a time nor a serial number, so that the same
 * sources make the same bytes.
 */
export function billOfMaterials(product: Product, packages: readonly BundledPackage[]): string {
  const components = new Map(packages.map((one) => [packageUrl(one), component('library', one)]));
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component('application', product) },
    components: [...components].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one),
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

function component(type: 'application' | 'library', described: Product | BundledPackage) {
  const { name, version, license } = described;
  const purl = packageUrl(described);
  const licenses = license === null ? {} : { licenses: [licenceChoice(license)] };
  return { type, 'bom-ref': purl, name, version, ...licenses, purl };
}

/** `MIT` and `(MIT OR CC0-1.0)` are expressions of SPDX; what refers to a file is not. */
function licenceChoice(license: string) {
  return /^SEE |^UNLICENSED$/i.test(license) ? { license: { name: license } } : { expression: license };
}

function packageUrl({ name, version }: { readonly name: string; readonly version: string }): string {
  return `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`;
}
