import { execFileSync } from 'node:child_process';
import type { BrowserContext } from '@playwright/test';
import { apiUser } from './api-user.ts';
import { makeSampleRepo } from './sample-repo.ts';
import type { ServedConsole } from './serve-console.ts';
import { type InvoiceStory, seedInvoiceStory } from './story/invoice-story.ts';
import { seedNotifications } from './story/notification-story.ts';
import { seedOutcomes } from './story/outcome-story.ts';
import { openSeededDatabase } from './story/seeded-database.ts';

export interface SeededWorld extends InvoiceStory {
  readonly userId: string;
  readonly repoId: string;
  /** The commit at the tip of the repository. */
  readonly base: string;
}

/** A repository of the person whose session the context has, with one issue in each state. */
export async function seedWorld(
  context: Pick<BrowserContext, 'request'>,
  { served, folder }: { readonly served: ServedConsole; readonly folder: string },
): Promise<SeededWorld> {
  const user = apiUser(context.request, served.url);
  const path = makeSampleRepo(folder);
  const base = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: path, encoding: 'utf8' }).trim();
  const repo = await user.post('/repos', { url: path, test_command: 'npm test', instructions: 'Prices are in cents.' });
  const { id: userId } = await user.get('/auth/me');
  using database = openSeededDatabase(served.dataDir);
  const story = seedInvoiceStory(database, { userId, repoId: repo.id, base });
  seedOutcomes(database, { repoId: repo.id, issueId: story.done });
  seedNotifications(database, { userId, repoId: repo.id, issueId: story.done });
  return { userId, repoId: repo.id, base, ...story };
}
