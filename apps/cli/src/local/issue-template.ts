import type { SluiceClient } from '@sluice/client';
import { ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { plainLine } from '../terminal/plain-text.ts';
import type { IssueDraft } from './issue-file.ts';

/**
 * What an issue of the repository begins with.
 *
 * @throws CommandError when the repository has no template of this name
 */
export async function readIssueTemplate(
  client: Pick<SluiceClient, 'repos'>,
  { repoId, name }: { readonly repoId: string; readonly name: string },
): Promise<IssueDraft> {
  const repo = await client.repos.get.query({ id: repoId });
  const templates = repo.settings.issue_templates;
  const found = templates.find((template) => template.name === name);
  if (found !== undefined) return { title: found.title, body: found.body };
  const known = templates.map((template) => `"${plainLine(template.name)}"`).join(', ');
  const next =
    known === ''
      ? `It has none: add one on its page in the console, or with: ${ownCommand()} api PATCH repos/${repoId} --input FILE`
      : `It has: ${known}.`;
  throw new CommandError(
    exitCode.notFound,
    `The repository ${plainLine(repo.name)} has no issue template "${plainLine(name)}". ${next}`,
  );
}
