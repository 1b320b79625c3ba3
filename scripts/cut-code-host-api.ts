/*
 * Cuts the provider's own description of its API (13 MB) down to what Sluice asks for, for the tests that hold our requests
 * and the host on loopback against it, and compresses it:
 *
 *   npm pack @octokit/openapi@23.0.2   # in a temporary folder; 394 MB unpacked, so it is no dependency
 *   node scripts/cut-code-host-api.ts FOLDER/package/generated/api.github.com.json
 *
 * The description is under the MIT licence (Copyright (c) 2020 Octokit contributors), which goes with what is cut of it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

/** Every operation that the adapter and the sign-in use. */
const operations: Readonly<Record<string, readonly string[]>> = {
  '/user': ['get'],
  '/user/repos': ['get'],
  '/users/{username}': ['get'],
  '/repos/{owner}/{repo}': ['get'],
  '/repos/{owner}/{repo}/branches/{branch}': ['get'],
  '/repos/{owner}/{repo}/rules/branches/{branch}': ['get'],
  '/repos/{owner}/{repo}/commits': ['get'],
  '/repos/{owner}/{repo}/commits/{ref}/check-runs': ['get'],
  '/repos/{owner}/{repo}/commits/{ref}/status': ['get'],
  '/repos/{owner}/{repo}/compare/{basehead}': ['get'],
  '/repos/{owner}/{repo}/check-runs/{check_run_id}': ['get'],
  '/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations': ['get'],
  '/repos/{owner}/{repo}/actions/runs': ['get'],
  '/repos/{owner}/{repo}/actions/jobs/{job_id}/logs': ['get'],
  '/repos/{owner}/{repo}/labels': ['get'],
  '/repos/{owner}/{repo}/collaborators': ['get'],
  '/repos/{owner}/{repo}/collaborators/{username}/permission': ['get'],
  '/repos/{owner}/{repo}/issues': ['get', 'post'],
  '/repos/{owner}/{repo}/issues/{issue_number}': ['get'],
  '/repos/{owner}/{repo}/issues/{issue_number}/comments': ['get', 'post'],
  '/repos/{owner}/{repo}/issues/comments/{comment_id}': ['get', 'patch'],
  '/repos/{owner}/{repo}/pulls': ['get', 'post'],
  '/repos/{owner}/{repo}/pulls/comments': ['get'],
  '/repos/{owner}/{repo}/pulls/comments/{comment_id}': ['get', 'patch'],
  '/repos/{owner}/{repo}/pulls/{pull_number}': ['get', 'patch'],
  '/repos/{owner}/{repo}/pulls/{pull_number}/commits': ['get'],
  '/repos/{owner}/{repo}/pulls/{pull_number}/reviews': ['get'],
  '/repos/{owner}/{repo}/pulls/{pull_number}/comments': ['get'],
  '/repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies': ['post'],
  '/search/issues': ['get'],
  '/applications/{client_id}/token': ['delete'],
};

const TARGET = new URL('../packages/fake-code-host/src/fixtures/codehost-api.json.br', import.meta.url);

const LICENCE =
  'Cut from @octokit/openapi by scripts/cut-code-host-api.ts. MIT License, Copyright (c) 2020 Octokit contributors. ' +
  'Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated ' +
  'documentation files (the "Software"), to deal in the Software without restriction, including without limitation the ' +
  'rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit ' +
  'persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice and ' +
  'this permission notice (including the next paragraph) shall be included in all copies or substantial portions of the ' +
  'Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED ' +
  'TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE ' +
  'AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT ' +
  'OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

const source = process.argv[2];
if (source === undefined) throw new Error('Name the description to cut: node scripts/cut-code-host-api.ts FILE');
const whole = JSON.parse(readFileSync(source, 'utf8')) as JsonObject;
const components: Record<string, Record<string, Json>> = {};

const paths = Object.fromEntries(
  Object.entries(operations).map(([path, methods]) => {
    const found = at(`#/paths/${path.replaceAll('/', '~1')}`) as JsonObject;
    return [path, Object.fromEntries(methods.map((method) => [method, slim(found[method] ?? missing(path))]))];
  }),
);

const info = {
  title: 'What Sluice asks the code host for',
  version: (whole.info as JsonObject).version,
  description: LICENCE,
};
const servers = [{ url: 'https://api.github.com' }];
// Brotli writes no time and no name: the same description gives the same bytes.
writeFileSync(TARGET, brotliCompressSync(JSON.stringify({ openapi: whole.openapi, info, servers, paths, components })));

/** What a reference leads to. */
function at(reference: string): Json {
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<Json>((found, step) => (found as JsonObject)[step] ?? missing(reference), whole);
}

/** Without prose, and with all that it refers to taken along. */
function slim(part: Json, name = ''): Json {
  if (Array.isArray(part)) return part.map((item) => slim(item));
  if (part === null || typeof part !== 'object') return part;
  const object = part as JsonObject;
  if (name === 'examples') return examples(object);
  if (typeof object.$ref === 'string') return { $ref: take(object.$ref) };
  const kept = Object.entries(object).filter(([key, value]) => !isProse(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, slim(value, key)]));
}

function isProse(key: string, value: Json): boolean {
  if (key === 'description' || key === 'summary') return typeof value === 'string';
  return (
    key.startsWith('x-') ||
    key === 'externalDocs' ||
    (key === 'tags' && Array.isArray(value)) ||
    (key === 'example' && typeof value !== 'object')
  );
}

function take(reference: string): string {
  const [, , kind = '', name = ''] = reference.split('/');
  components[kind] ??= {};
  if (components[kind][name] === undefined) {
    components[kind][name] = true; // until it is slim: it may refer to itself
    components[kind][name] = slim(at(reference));
  }
  return reference;
}

/** One of each, written out: a reference inside of one would be answered with its wrapping. */
function examples(named: JsonObject): Json {
  const [first] = Object.entries(named);
  if (first === undefined) return {};
  let value: Json = first[1];
  for (let object = value as JsonObject | null; object !== null; ) {
    if (typeof object.$ref === 'string') value = at(object.$ref);
    else if ('value' in object) value = object.value ?? null;
    else break;
    object = typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : null;
  }
  return { [first[0]]: { value } };
}

function missing(what: string): never {
  throw new Error(`The description has no ${what}.`);
}
