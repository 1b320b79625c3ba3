import type { MoveReport } from '@sluice/server';
import type { Style } from '../terminal/style.ts';

const HASH_LENGTH = 16; // enough to compare by eye; --json prints the whole hash

/** Renders each table with its number of rows and their hash, which are equal in both databases. */
export function renderTransfer({ tables }: MoveReport, style: Style): string {
  const longest = Math.max(...tables.map(({ name }) => name.length));
  const digits = Math.max(...tables.map(({ rows }) => String(rows).length), 'rows'.length);
  const line = (name: string, rows: string, hash: string) =>
    `${name.padEnd(longest)}  ${rows.padStart(digits)}  ${hash}`;
  return [
    style('bold', line('table', 'rows', 'hash, equal on both sides')),
    ...tables.map(({ name, rows, hash }) => line(name, String(rows), hash.slice(0, HASH_LENGTH))),
  ].join('\n');
}

/** Renders the secrets as lines of an environment file. Generated values are base64; one chosen by hand may need quotes. */
export function renderTransferSecrets({ secrets }: MoveReport): string {
  return secrets.flatMap(({ variable, value }) => (value === null ? [] : [`${variable}=${quoted(value)}`])).join('\n');
}

/** Renders what the operator has to do next. Names where the secrets are, never their values. */
export function renderNextSteps({ already_there, data_dir, secrets }: MoveReport): string {
  const where = {
    environment: 'as currently set in the environment',
    'secrets.json': `in ${data_dir}/secrets.json; --show-secrets prints it`,
  };
  return [
    '',
    already_there ? 'The target already held all rows: nothing was written.' : 'All rows were copied and verified.',
    'Not copied: the code index and its vectors, clones and working trees. Each host rebuilds its own.',
    'Start each server with:',
    '  DATABASE_URL     the URL of the target, with its password',
    ...secrets.map(
      ({ variable, from }) =>
        `  ${variable.padEnd(15)}  ${from === null ? 'a new value: this installation has none' : where[from]}`,
    ),
    'With a different SESSION_SECRET all users have to log in again; with different ENCRYPTION_KEYS stored tokens are lost.',
  ].join('\n');
}

function quoted(value: string): string {
  return /^[\w+/=:,.-]*$/.test(value) ? value : `"${value.replaceAll(/["\\$`]/g, '\\$&')}"`;
}
