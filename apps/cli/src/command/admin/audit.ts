import type { Command } from 'commander';
import { renderAudit } from '../../render/render-accounts.ts';
import { renderAcknowledgement, renderVerification } from '../../render/render-audit.ts';
import { ownCommand } from '../../terminal/environment.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { createOutput } from '../../terminal/output.ts';
import { installationOf } from '../installation-command.ts';
import { type AccountPageOptions, accountPageCommand, orNotFound, printPage, withAccounts } from './account-command.ts';

interface AuditOptions extends AccountPageOptions {
  readonly user?: string;
  readonly repo?: string;
  readonly action?: string;
  readonly since?: string;
  readonly until?: string;
  readonly verify?: true | string;
  readonly head?: string;
  readonly export?: true;
  readonly acknowledge?: true;
}

type Act = (options: AuditOptions, finish: Finish) => Promise<void>;

const NOTES = `--verify checks every entry against the seals, which are made with a key that is not in the database, and the end against
DATA_DIR/audit-head.json and --head. It exits with 1 when entries were changed, removed, inserted or cut off. --export prints
every entry and seal as JSON lines, which --verify FILE checks; with --user, --repo, --action, --since or --until only the
matching entries. --acknowledge goes on after the database was put back from a copy by other means than "sluice restore".
Servers can keep running.
`;

export function addAdminAuditCommand(admin: Command, finish: Finish): void {
  accountPageCommand(admin, 'audit', {
    description: 'list who decided and changed what, newest first; verify or export the audit log',
    examples: [
      'sluice admin audit',
      'sluice admin audit --user eve@example.com --json',
      'sluice admin audit --verify',
      'sluice admin audit --export > audit.jsonl',
      'sluice admin audit --verify audit.jsonl --head audit-head.json',
    ],
  })
    .option('--user <user>', 'only the entries of this user')
    .option('--repo <id>', 'only the entries about this repository')
    .option('--action <action>', 'only this action, such as issue.decided')
    .option('--since <time>', 'only at this time or later, such as 2026-07-15T09:00:00Z')
    .option('--until <time>', 'only before this time')
    .option('--verify [file]', 'check the log, or an export of it')
    .option('--head <file>', 'compare the end with a head that was kept elsewhere as well')
    .option('--export', 'print the log as JSON lines, oldest first')
    .option('--acknowledge', 'go on with the log as it is now, and record that')
    .addHelpText('after', `\n${NOTES}`)
    .action(async (options: AuditOptions) => await actOf(options)(options, finish));
}

/** @throws CommandError for more than one of them */
function actOf(options: AuditOptions): Act {
  const acts: [unknown, Act][] = [
    [options.verify, verify],
    [options.export, exportAll],
    [options.acknowledge, acknowledge],
  ];
  const chosen = acts.filter(([given]) => given !== undefined).map(([, act]) => act);
  if (chosen.length > 1) throw new CommandError(exitCode.usage, 'Use one of --verify, --export and --acknowledge.');
  return chosen[0] ?? list;
}

const list: Act = async (options, finish) => {
  const { user = null } = options;
  const filter = await filterOf(options);
  const page = await withAccounts(options, (accounts, request) => accounts.audit(user, request, filter));
  const found = orNotFound(user ?? '', page);
  printPage(options, found, (style, sheet) => renderAudit(found.items, { style, page: sheet }));
  finish(exitCode.done);
};

const verify: Act = async (options, finish) => {
  const { verifyAuditLog } = await import('@sluice/server');
  const file = options.verify === true ? undefined : options.verify;
  const report = await verifyAuditLog({ ...installationOf(options), file, head: options.head });
  createOutput(options).data(report, () => renderVerification(report));
  finish(report.intact ? exitCode.done : exitCode.unexpected);
};

const exportAll: Act = async (options, finish) => {
  const { exportAuditLog } = await import('@sluice/server');
  const { user } = options;
  const filter = await filterOf(options);
  if (user !== undefined) {
    const users = await withAccounts(options, async (accounts) => await accounts.idOf(user));
    Object.assign(filter, { userId: orNotFound(user, users) });
  }
  for await (const line of exportAuditLog({ ...installationOf(options), filter })) {
    if (!process.stdout.write(`${line}\n`)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
  finish(exitCode.done);
};

const acknowledge: Act = async (options, finish) => {
  const { acknowledgeAuditLog } = await import('@sluice/server');
  const report = await acknowledgeAuditLog({ ...installationOf(options), head: options.head });
  createOutput(options).data(report, () => renderAcknowledgement(report));
  finish(exitCode.done);
};

/** @throws CommandError for what no entry can match: an unknown action, an id or a time that is not valid */
async function filterOf({ repo, action, since, until }: AuditOptions) {
  const [{ auditedActions }, { isId }] = await Promise.all([import('@sluice/core/audit'), import('@sluice/core/id')]);
  if (action !== undefined && !auditedActions.some((one) => one === action)) {
    const list = `${ownCommand()} admin audit`;
    throw new CommandError(
      exitCode.usage,
      `--action: there is no action ${JSON.stringify(action)}. See those of: ${list}`,
    );
  }
  if (repo !== undefined && !isId(repo)) {
    const list = `${ownCommand()} admin repos`;
    throw new CommandError(exitCode.usage, `--repo is not a repository id: ${repo}. Copy one from: ${list}`);
  }
  return {
    ...(repo !== undefined && { repoId: repo }),
    ...(action !== undefined && { action }),
    ...(since !== undefined && { from: timeOf('--since', since) }),
    ...(until !== undefined && { to: timeOf('--until', until) }),
  };
}

function timeOf(option: string, text: string): Date {
  const at = new Date(text);
  if (!Number.isNaN(at.getTime())) return at;
  throw new CommandError(exitCode.usage, `${option} is not a valid time: ${text}. Write it as 2026-07-15T09:00:00Z.`);
}
