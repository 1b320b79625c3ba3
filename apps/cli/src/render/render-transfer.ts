import type { MoveReport } from '@sluice/server';
import type { Style } from '../terminal/style.ts';

const HASH_SHOWN = 16; // enough for a person to compare; --json has all of it

/** The tables, with how many rows of each are on both sides and their hash. */
export function renderMove({ tables }: MoveReport, style: Style): string {
  const longest = Math.max(...tables.map(({ name }) => name.length));
  const digits = Math.max(...tables.map(({ rows }) => String(rows).length), 'rows'.length);
  const line = (name: string, rows: string, hash: string) =>
    `${name.padEnd(longest)}  ${rows.padStart(digits)}  ${hash}`;
  return [
    style('bold', line('table', 'rows', 'hash, the same on both sides')),
    ...tables.map(({ name, rows, hash }) => line(name, String(rows), hash.slice(0, HASH_SHOWN))),
  ].join('\n');
}

/** Lines of an environment file. Its values are of base64 and need no quotes, but one that a person has made may. */
export function renderMoveSecrets({ secrets }: MoveReport): string {
  return secrets.flatMap(({ variable, value }) => (value === null ? [] : [`${variable}=${quoted(value)}`])).join('\n');
}

/** What the person does now. Names where secrets are, and never what they are. */
export function whatComesNext({ already_there, data_dir, secrets }: MoveReport): string {
  const where = {
    environment: 'as it is set now',
    'secrets.json': `in ${data_dir}/secrets.json; --show-secrets prints it`,
  };
  return [
    '',
    already_there ? 'All of it was there already: nothing was written.' : 'All rows are there, and the same.',
    'Not copied: the code index and its vectors, clones, working trees. Every host builds its own.',
    'Start each server with:',
    '  DATABASE_URL     that address, with its password',
    ...secrets.map(
      ({ variable, from }) =>
        `  ${variable.padEnd(15)}  ${from === null ? 'a new one: this installation has none' : where[from]}`,
    ),
    'With another SESSION_SECRET everybody logs in again; with other ENCRYPTION_KEYS stored access tokens are lost.',
  ].join('\n');
}

function quoted(value: string): string {
  return /^[\w+/=:,.-]*$/.test(value) ? value : `"${value.replaceAll(/["\\$`]/g, '\\$&')}"`;
}
