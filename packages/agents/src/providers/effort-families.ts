import { ownServerFamilies, vendorFamilies } from './effort-compatible-families.ts';
import type { EffortFamily } from './effort-family.ts';
import { packageFamilies } from './effort-package-families.ts';
import { claudeFamilies, gptFamilies } from './effort-vendor-families.ts';

/** The families that are sent effort. The first that fits counts; a model of none of them is sent nothing. */
export const effortFamilies: readonly EffortFamily[] = [
  ...claudeFamilies,
  ...gptFamilies,
  ...vendorFamilies,
  ...ownServerFamilies,
  ...packageFamilies,
];

/** The family of a model at a server, as `effortServer` names it; null for one that is not documented. */
export function effortFamily(server: string, model: string): EffortFamily | null {
  const name = model.toLowerCase();
  return effortFamilies.find(({ servers, models }) => servers.includes(server) && models.test(name)) ?? null;
}
