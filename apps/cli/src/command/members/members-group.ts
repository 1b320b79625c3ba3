import type { Command } from 'commander';
import { Argument, Option } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { addCommand } from '../add-command.ts';
import { REPO_OPTION, remoteCommand, withRemote } from '../remote-command.ts';
import { addInvitationCommands } from './invitation-commands.ts';
import { ROLES } from './roles.ts';

interface MemberOptions extends RemoteOptions {
  readonly repo?: string;
}

const NOTES = [
  'viewer reads; contributor also creates issues and writes notes; approver also decides at gates and manages the issues',
  'of others; admin also changes settings and members.',
].join('\n');

export function addMembersCommands(program: Command, finish: Finish): void {
  const members = addCommand(program, 'members', {
    description: 'manage who may do what in a repository',
    examples: [
      'sluice members list',
      'sluice members add grace@example.com --role approver',
      'sluice members add --help',
    ],
  });
  addListCommand(members, finish);
  addAddCommand(members, finish);
  addRemoveCommand(members, finish);
  addInvitationCommands(members, finish);
}

function addListCommand(members: Command, finish: Finish): void {
  remoteCommand(members, 'list', {
    description: 'list the members of a repository with their roles',
    examples: ['sluice members list', 'sluice members list --repo acme/shop --json'],
    notes: NOTES,
  })
    .option(...REPO_OPTION)
    .action(async (options: MemberOptions) => {
      const { chosenRepo } = await import('../../local/current-repo.ts');
      const { renderMembers } = await import('../../render/render-members.ts');
      await withRemote(options, async ({ client, output }) => {
        const list = await client.repos.members.query({ id: await chosenRepo(client, options.repo) });
        await output.longData(list, (style, page) => renderMembers(list.items, { style, page }));
      });
      finish(exitCode.done);
    });
}

function addAddCommand(members: Command, finish: Finish): void {
  remoteCommand(members, 'add', {
    description: 'give a user a role in a repository, or another one',
    examples: [
      'sluice members add grace@example.com --role approver',
      'sluice members add grace --role viewer --repo acme/shop    by the login at the code host',
    ],
    notes: NOTES,
  })
    .addArgument(new Argument('<user>', 'e-mail of their account, or login at the code host'))
    .addOption(new Option('--role <role>', 'role in the repository').choices(ROLES).makeOptionMandatory())
    .option(...REPO_OPTION)
    .action(async (user: string, options: MemberOptions & { readonly role: (typeof ROLES)[number] }) => {
      const { chosenRepo } = await import('../../local/current-repo.ts');
      const { memberName } = await import('../../render/render-members.ts');
      await withRemote(options, async ({ client, output }) => {
        const id = await chosenRepo(client, options.repo);
        const member = await client.repos.addMember.mutate({ id, user, role: options.role });
        output.data(member, () => `${memberName(member)} has the role ${member.role}.`);
      });
      finish(exitCode.done);
    });
}

function addRemoveCommand(members: Command, finish: Finish): void {
  remoteCommand(members, 'remove', {
    description: 'remove a member from a repository, or leave it',
    examples: ['sluice members remove grace@example.com', 'sluice members remove grace --repo acme/shop --yes'],
  })
    .addArgument(new Argument('<user>', 'e-mail, login at the code host, or id, as `members list` shows it'))
    .option(...REPO_OPTION)
    .option('-y, --yes', 'skip the confirmation')
    .action(async (user: string, options: MemberOptions & { readonly yes?: true }) => {
      const { confirm } = await import('../../terminal/confirm.ts');
      const { chosenRepo } = await import('../../local/current-repo.ts');
      const { findMember } = await import('../../session/find-by-suffix.ts');
      const { memberName } = await import('../../render/render-members.ts');
      await withRemote(options, async ({ client, output }) => {
        const id = await chosenRepo(client, options.repo);
        const member = await findMember(client, { repoId: id, given: user });
        await confirm(`Remove ${memberName(member)} from the repository?`, options.yes === true);
        await client.repos.removeMember.mutate({ id, user_id: member.user_id });
        output.message(`Removed ${memberName(member)}. Their issues stay.`);
      });
      finish(exitCode.done);
    });
}
