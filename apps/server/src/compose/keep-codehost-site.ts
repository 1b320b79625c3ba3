import type { CodeHostSiteStore } from '@sluice/core';
import type { CodeHostSettings } from '../config/codehost-settings.ts';
import { StartError } from '../process/start-error.ts';

/** The web origin of a code host, by which a database knows it. */
export function siteOf({ url }: Pick<CodeHostSettings, 'url'>): string {
  return new URL(url).origin;
}

/**
 * Keeps the code host that is configured as the one that the database is of, at the first start with one. Nothing is kept
 * and nothing refused where none is configured.
 *
 * @throws StartError when the database is of another one: its accounts would be taken for those of other people who have
 * the same numbers here, and its tokens would be sent to a host that they are not of
 */
export async function keepCodeHostSite(site: CodeHostSiteStore, settings: CodeHostSettings | null): Promise<void> {
  if (settings === null) return;
  const configured = siteOf(settings);
  const kept = await site.claim(configured);
  if (kept === configured) return;
  throw new StartError(
    `CODEHOST_URL is ${configured}, but this database is of the code host ${kept}: set CODEHOST_URL back to it. Where it is the same host at a new address, stop every server and run "sluice admin codehost-moved"; where it is another host, "sluice admin codehost-forget".`,
  );
}
