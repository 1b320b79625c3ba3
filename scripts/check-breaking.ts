// Says what in today's interface breaks programs that were written by the last release's document, or by that of the commit
// named by --against. A release that may break them has a higher first number (before 1.0: second) in package.json.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type OpenApiDocument, openApiDocument } from '../packages/api/src/index.ts';
import { breakingChanges } from './breaking-changes.ts';

/** The output of git, null when it refuses: there is no release, or no repository around these files. */
function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1_048_576 });
  return status === 0 ? stdout.trim() : null;
}

function generation(version: string): number {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > 0 ? major * 1_000_000 : minor;
}

const { values } = parseArgs({ options: { against: { type: 'string' } } });
const release = git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*');
const against = values.against ?? release;
const text = against === null ? null : git('show', `${against}:docs/openapi.json`);
if (against === null || text === null) {
  console.log(against === null ? 'there is no release yet' : `${against} has no docs/openapi.json`);
  if (values.against !== undefined) process.exitCode = 2;
} else {
  const told = breakingChanges(JSON.parse(text) as OpenApiDocument, openApiDocument());
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const mayBreak = against === release && generation(version) > generation(release);
  for (const one of told) console.log(one);
  console.log(`${told.length} breaking changes against ${against}${mayBreak ? `, as ${version} may have` : ''}`);
  if (told.length > 0 && !mayBreak) process.exitCode = 1;
}
