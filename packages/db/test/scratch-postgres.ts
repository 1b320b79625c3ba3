import type { EventsWritten, IssueId } from '@sluice/core';
import { type OpenStores, type PostgresServer, settableClock } from '@sluice/testing';
import { openPostgres } from '../src/index.ts';

const applicationName = 'sluice-test';

/** Stores over an empty database of this server. Its tables are made once, and copied. */
export function scratchStoresOn(server: () => PostgresServer): OpenStores {
  let template: Promise<string> | null = null;
  return async (options = {}) => {
    template ??= makeTemplate(server());
    const clock = settableClock();
    const heard = { events: [] as EventsWritten[], runnable: [] as IssueId[] };
    const stores = await openPostgres({
      url: await server().createDatabase(await template),
      applicationName,
      clock,
      maxActivePipelines: 5,
      ...options,
      onEvents: (hint) => void heard.events.push(hint),
      onRunnable: (issueIds) => void heard.runnable.push(...issueIds),
    });
    return { ...stores, clock, heard };
  };
}

/** @returns the name of a database with our tables and no rows but the slots' */
async function makeTemplate(server: PostgresServer): Promise<string> {
  const url = await server.createDatabase();
  await (await openPostgres({ url, applicationName, clock: settableClock(), maxActivePipelines: 5 })).close();
  return new URL(url).pathname.slice(1);
}
