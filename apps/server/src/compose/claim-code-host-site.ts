import type { CodeHostSiteStore } from '@sluice/core/code-host';
import type { CodeHostSettings } from '../config/code-host-settings.ts';
import { StartError } from '../process/start-error.ts';

/** The web origin of a code host, which identifies it in the database. */
export function siteOf({ url }: Pick<CodeHostSettings, 'url'>): string {
  return new URL(url).origin;
}

/**
 * Records the configured code host in the database at the first start with one. Does nothing if none is configured.
 *
 * @throws StartError when the database belongs to another code host: user ids would then match the wrong people, and
 * tokens would be sent to a host that did not issue them
 */
export async function claimCodeHostSite(site: CodeHostSiteStore, settings: CodeHostSettings | null): Promise<void> {
  if (settings === null) return;
  const configured = siteOf(settings);
  const kept = await site.claim(configured);
  if (kept === configured) return;
  throw new StartError(
    `CODEHOST_URL is ${configured}, but this database belongs to the code host ${kept}: set CODEHOST_URL back to it. If the same host has a new address, stop every server and run "sluice admin codehost-moved"; if it is another host, run "sluice admin codehost-forget".`,
  );
}
