import { counted } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import type { client } from '../session/client.ts';

export type AuditEntry = Awaited<ReturnType<typeof client.audit.list.query>>['items'][number];
export type AuditAction = AuditEntry['action'];
type Detail = AuditEntry['detail'];

/** How the sentence calls the user whose account it is. */
interface Whom {
  readonly object: string;
  readonly possessive: string;
}

const YOU: Whom = { object: 'you', possessive: 'your' };
/** The words for a reader who is somebody else. */
export const THEY: Whom = { object: 'them', possessive: 'their' };

/** What was done, after the name of who did it: "You", "An operator", or "Sluice" on what you had decided before. */
export const sentences: Readonly<Record<AuditAction, (detail: Detail, whom: Whom) => string>> = {
  'account.registered': ({ by }) =>
    by === 'codehost'
      ? 'created the account by a sign-in at the code host'
      : by === 'oidc'
        ? 'created the account by a single sign-on'
        : 'created the account',
  'account.changed': (detail) => `changed ${listed(detail.fields, accountFields)}${endedSessions(detail)}`,
  'account.linked': ({ codehost_login: login }) => `linked the account ${quoted(login)} at the code host`,
  'account.unlinked': () => 'unlinked the account at the code host',
  'account.identity_linked': ({ provider }) => `linked the account at the provider ${quoted(provider)}`,
  'account.identity_unlinked': ({ provider }) => `unlinked the account at the provider ${quoted(provider)}`,
  'account.disabled': (detail) => `disabled the account${endedSessions(detail)}`,
  'account.enabled': () => 'enabled the account again',
  'account.operator_granted': (_, { object }) => `made ${object} an operator of this server`,
  'account.operator_revoked': (_, { possessive }) => `took away ${possessive} rights as an operator of this server`,
  'account.password_reset': (detail) => `reset the password${endedSessions(detail)}`,
  'account.email_verified': () => 'verified the e-mail address',
  'account.deleted': (detail) => `deleted the account${endedSessions(detail)}`,
  'account.sessions_ended': ({ sessions_ended: ended }) => `ended ${counted(Number(ended ?? 0), 'session')}`,
  'account.factor_added': (detail) =>
    `added ${detail.kind === 'passkey' ? 'a passkey' : 'an authenticator app'}${endedSessions(detail)}`,
  'account.factor_renamed': () => 'renamed a second factor',
  'account.factor_removed': (detail) => `removed a second factor${endedSessions(detail)}`,
  'account.factors_removed': (detail) => `removed all second factors${endedSessions(detail)}`,
  'account.recovery_codes_replaced': (detail) => `made new recovery codes${endedSessions(detail)}`,
  'session.opened': ({ by, client: name, second_factor: factor }) =>
    `logged in${by === 'codehost' ? ' with the code host' : by === 'oidc' ? ' by single sign-on' : ''}${factor === 'recovery_code' ? ' with a recovery code' : ''}${typeof name === 'string' ? `, with ${visibleText(name)}` : ''}`,
  'session.closed': () => 'logged out',
  'session.revoked': () => 'ended a session',
  'token.created': ({ scope, repo_id: repo }) =>
    `created an API token with the scope ${quoted(scope)}${repo === null ? '' : ' for one repository'}`,
  'token.revoked': () => 'revoked an API token',
  'invitation.created': ({ repo_id: repo, role }) =>
    repo === null
      ? 'invited somebody to make an account'
      : `invited somebody to a repository with the role ${quoted(role)}`,
  'invitation.withdrawn': () => 'took an invitation back',
  'invitation.accepted': ({ repo_id: repo, role }) =>
    repo === null ? 'accepted an invitation' : `accepted an invitation to a repository with the role ${quoted(role)}`,
  'repo.registered': ({ name }) => `added the repository ${quoted(name)}`,
  'repo.changed': ({ name, fields }) => `changed ${listed(fields, repoFields)} of the repository ${quoted(name)}`,
  'repo.removed': ({ name }) => `removed the repository ${quoted(name)} with its issues`,
  'repo.handed_over': ({ name }) => `handed the repository ${quoted(name)} over to another admin and left`,
  'repo.member_put': ({ role }) => `gave a member of a repository the role ${quoted(role)}`,
  'budget.set': ({ of }) => `set the monthly budget ${budgetOf[String(of)] ?? 'of an account'}`,
  'repo.member_removed': () => 'removed a member of a repository',
  'attachment.uploaded': () => 'uploaded an attachment',
  'issue.created': () => 'created an issue',
  'issue.imported': ({ number }) => `imported issue #${Number(number)} from the code host`,
  'issue.edited': () => 'edited an issue before its start',
  'issue.queued': () => 'started an issue',
  'issue.retried': () => 'retried an issue',
  'issue.decided': decision,
  'issue.approvals_dropped': ({ revision }) =>
    `found approvals of revision ${Number(revision)} of the plan that no longer count, and dropped them`,
  'issue.noted': () => 'sent the agent a note',
  'issue.cancelled': () => 'cancelled an issue',
  'issue.close_explained': () => 'said why a pull request was closed',
  'issue.deleted': () => 'deleted an issue',
  'notification.created': ({ channel }) =>
    channel === 'email' ? 'turned on notifications by e-mail' : 'added a webhook for notifications',
  'notification.changed': (detail) => `changed ${listed(detail.fields, notificationFields)} of a notification target`,
  'notification.secret_rotated': () => 'gave a webhook for notifications a new secret',
  'notification.unsubscribed': () => 'turned the e-mails off by the link in one of them',
  'notification.removed': () => 'deleted a notification target',
};

const budgetOf: Readonly<Record<string, string>> = {
  user: 'of an account',
  each_user: 'of each user',
  repo: 'of a repository',
  installation: 'of this server',
};

const accountFields: Readonly<Record<string, string>> = {
  name: 'the name',
  email: 'the e-mail',
  password: 'the password',
};

const repoFields: Readonly<Record<string, string>> = {
  name: 'the name',
  access_token: 'the access token',
  default_branch: 'the default branch',
  setup_command: 'the setup command',
  test_command: 'the test command',
  instructions: 'the instructions',
  settings: 'the settings',
};

const notificationFields: Readonly<Record<string, string>> = {
  url: 'the URL',
  format: 'the format',
  events: 'the events',
  repo_id: 'the repository',
  description: 'the description',
  enabled: 'the state',
};

/** An entry of the audit log as a sentence. */
export function auditSentence({ action, actor, detail }: AuditEntry): string {
  const who = { operator: 'An operator', service: 'Sluice', user: 'You' }[actor];
  // A newer server may know actions that this page does not.
  const what = sentences[action] as (typeof sentences)[AuditAction] | undefined;
  return `${who} ${what?.(detail, YOU) ?? `did: ${visibleText(action)}`}.`;
}

function decision(detail: Detail, { possessive }: Whom): string {
  const { action, on, revision, blind, inherited_from, approvals, approvals_needed, client } = detail;
  const done = { approve: 'approved', reject: 'rejected', instruct: 'gave instructions on' }[String(action)];
  const subject = on === 'publication' ? 'the publication' : `revision ${Number(revision)} of the plan`;
  const count = typeof approvals_needed === 'number' ? ` (${Number(approvals)} of ${approvals_needed} approvals)` : '';
  const from = typeof client === 'string' ? `, with ${visibleText(client)}` : '';
  return `${done ?? `decided on (${visibleText(String(action))})`} ${subject}${count}${from}${blind === true ? ', without naming what was seen' : ''}${inherited_from === undefined ? '' : ` of a follow-up, by ${possessive} approval of the first issue`}`;
}

/** The other things that an act ended: sessions, and at a reset also API tokens and linked accounts. */
function endedSessions({ sessions_ended: ended, tokens_revoked: tokens, accounts_unlinked: accounts }: Detail): string {
  const did = (verb: string, count: unknown, noun: string) =>
    typeof count === 'number' && count > 0 ? [`${verb} ${counted(count, noun)}`] : [];
  const ends = [
    ...did('ended', ended, 'session'),
    ...did('revoked', tokens, 'API token'),
    ...did('unlinked', accounts, 'account'),
  ];
  return ends.length === 0 ? '' : `, which ${joined(ends)}`;
}

function listed(fields: unknown, names: Readonly<Record<string, string>>): string {
  const words = Array.isArray(fields) ? fields.map((field) => names[String(field)] ?? visibleText(String(field))) : [];
  return joined(words);
}

function joined(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? 'nothing';
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** A name in a sentence; what is in it stays in it. */
export function quoted(name: unknown): string {
  return `“${visibleText(String(name))}”`;
}
