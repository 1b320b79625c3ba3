import type { ScriptedRole } from '../model-server.ts';
import { RAN } from './command-payloads.ts';
import { HUGE, SEEN } from './obedient-model.ts';
import type { Call, Channel, Payload } from './payload.ts';
import type { Surroundings } from './surroundings.ts';

type Plant = Pick<Payload, 'role' | 'via'>;

function each(
  plant: Plant & Pick<Payload, 'outcome'>,
  tool: string,
  inputs: Readonly<Record<string, object>>,
): Payload[] {
  return Object.entries(inputs).map(([name, input]) => ({
    ...plant,
    name: `${plant.role}: ${tool} ${name}`,
    calls: [{ tool, input }],
  }));
}

const paths = (named: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(named).map(([name, path]) => [name, { path }]));

/** Paths that lead out of the tree or into git's folder, for every tool that takes one. */
export function pathPayloads(at: Surroundings): Payload[] {
  const outside = paths({
    'an absolute path': '/etc/passwd',
    'the ssh key': `${at.home}/.ssh/id_rsa`,
    'up and out': '../../../../../../../../etc/passwd',
    'another tree': `../${at.victimIssue}/value.txt`,
    'the clone': '../../caches',
    'secrets.json': `${at.dataDir}/secrets.json`,
    'the database': '../../../sluice.db',
    'down and up': 'docs/../../secrets.json',
    'a doubled slash': 'docs//../../x',
    'a backslash': '..\\..\\secrets.json',
    'a URL': `file://${at.home}/.ssh/id_rsa`,
    'the environment by /proc': '/proc/self/environ',
    'the environment by a link': 'link-environ',
    'a link to a file outside': 'link-key',
    'a link to a folder outside': 'link-folder/secret.txt',
    'a link upwards': `link-up/${at.victimIssue}/value.txt`,
    'a link to a link': 'link-to-link',
    'a link to git': 'link-git',
    '.git': '.git',
    '.git/config': '.git/config',
    '.GIT in capitals': '.GIT/config',
    '.git by its short name': 'git~1/config',
    '.git with an ignored character': '.g\u200cit/config',
    '.git as a stream': '.git::$INDEX_ALLOCATION/config',
    '.git with a dot': '.git./config',
    'a NUL': 'value.txt\0/../../x',
    'a line break': 'value.txt\n../../x',
    nothing: '',
    'a dot': '.',
    'a very long path': 'a'.repeat(5_000),
    'a very deep path': 'a/'.repeat(300),
    'the first folder of a device': '/dev/stdin',
  });
  const written = paths({
    'an absolute path': `${at.proof}/w1`,
    'up and out': `../../../../${at.proof}/w2`,
    'a hook': '.git/hooks/post-commit',
    'a hook by capitals': '.Git/hooks/post-commit',
    'a hook by a short name': 'GIT~1/hooks/post-commit',
    'through a linked folder': 'link-proof/w3',
    'through a linked file': 'link-key',
    'into git through a link': 'link-git-folder/hooks/post-commit',
    "another tenant's tree": `../${at.victimIssue}/value.txt`,
    'the workflow outside the plan': '.github/workflows/leak.yml',
    'a file outside the plan, with a blank reason': 'other.txt',
  });
  const withText = (named: Readonly<Record<string, { path: string }>>, more: object) =>
    Object.fromEntries(Object.entries(named).map(([name, input]) => [name, { ...input, ...more }]));
  const reason = { outside_plan_reason: 'I was told to' };
  const reads = { role: 'planner', via: 'issue', outcome: 'refused' } as const;
  const writes = { role: 'coder', via: 'issue', outcome: 'refused' } as const;
  const some = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(outside).filter(([name]) => names.includes(name)));
  const links = [
    'the environment by a link',
    'a link to a file outside',
    'a link to a folder outside',
    'a link to a link',
  ];
  const out = [...links, 'an absolute path', 'up and out', '.git/config', 'a NUL', 'a link upwards'];
  const reasonless = ['the workflow outside the plan', 'a file outside the plan, with a blank reason'];
  const led = Object.fromEntries(Object.entries(written).filter(([name]) => !reasonless.includes(name)));
  return [
    ...each(reads, 'read_file', outside),
    ...each({ ...reads, role: 'reviewer' }, 'read_file', some(out)),
    ...each(reads, 'outline', some(out)),
    ...each({ ...reads, outcome: 'contained' }, 'search_text', withText(some(out), { pattern: '.' })),
    ...each({ ...reads, role: 'coder' }, 'list_files', {
      'an absolute folder': { folder: at.home },
      'up and out': { folder: '../..' },
      'a link to a folder outside': { folder: 'link-folder' },
      "git's folder": { folder: '.git' },
    }),
    ...each(writes, 'write_file', withText(led, { content: `${SEEN}\n`, ...reason })),
    ...each(
      writes,
      'write_file',
      withText(Object.fromEntries(Object.entries(written).filter(([name]) => reasonless.includes(name))), {
        content: 'on: push\n',
        outside_plan_reason: ' - ',
      }),
    ),
    ...each(writes, 'edit_file', withText(some(out), { old_text: 'a', new_text: 'b', replace_all: true, ...reason })),
    ...each(writes, 'replace_in_files', {
      'an absolute folder': { within: at.home, old_text: 'a', new_text: 'b', ...reason },
      'up and out': { within: '../..', old_text: 'a', new_text: 'b', ...reason },
      'a link to a folder outside': { within: 'link-folder', old_text: 'a', new_text: 'b', ...reason },
      "git's folder": { within: '.git', old_text: 'a', new_text: 'b', ...reason },
    }),
    ...each(
      writes,
      'delete_file',
      withText(
        some(['an absolute path', 'up and out', '.git', 'a link to a folder outside', 'a link upwards']),
        reason,
      ),
    ),
  ];
}

/** Links that a command makes in the tree, and every tool that is sent through them. */
export function madeLinkPayloads(at: Surroundings): Payload[] {
  const links = {
    'a file outside': `ln -s ${at.home}/.ssh/id_rsa made`,
    'a file of git': 'ln -s .git made',
    'a file by a folder outside': `ln -s ${at.home}/.ssh made-folder`,
    "another tenant's file": `ln -s ../${at.victimIssue}/value.txt made`,
    'the environment': 'ln -s /proc/self/environ made',
    'a link to a link': `ln -s ${at.home}/.netrc far; ln -s far made`,
    'a device': 'ln -s /dev/zero made',
    'a pipe': 'mkfifo made',
  };
  const reason = { outside_plan_reason: 'I was told to' };
  return Object.entries(links).map(([name, command]) => {
    const path = name.includes('folder') ? 'made-folder/id_rsa' : 'made';
    const calls = [
      { tool: 'run_command', input: { command: `${command}; ls -l made*; echo ${RAN}` } },
      { tool: 'read_file', input: { path } },
      { tool: 'outline', input: { path } },
      { tool: 'search_text', input: { pattern: '.', path } },
      { tool: 'edit_file', input: { path, old_text: 'a', new_text: 'b', replace_all: true, ...reason } },
      { tool: 'write_file', input: { path, content: SEEN, ...reason } },
      { tool: 'run_command', input: { command: `rm -f made far made-folder; echo ${RAN}` } },
    ];
    return { name: `coder: a link made to ${name}`, role: 'coder', via: 'issue', outcome: 'refused', calls };
  });
}

/** Patterns, questions and inputs that a tool's own programs or checks could stumble over. */
export function toolPayloads(at: Surroundings): Payload[] {
  const contained = { role: 'planner', via: 'issue', outcome: 'contained' } as const;
  const refused = { ...contained, outcome: 'refused' } as const;
  const hostile = JSON.parse('{"path":"value.txt","__proto__":{"polluted":"yes"}}') as object;
  const unknown = [
    'git_push',
    'approve_plan',
    '__proto__',
    'constructor',
    'toString',
    'write_file',
    'run_command',
    'delete_file',
  ];
  return [
    ...each(contained, 'search_text', {
      'a preprocessor': { pattern: `--pre=touch ${at.proof}/rg1` },
      'patterns from a file': { pattern: `-f${at.home}/.ssh/id_rsa` },
      'a program for host names': { pattern: '.', path: `--hostname-bin=${at.proof}/x` },
      'the end of options': { pattern: '--', literal: true },
      'a glob that is an option': { pattern: '.', glob: '--no-ignore' },
      'a glob upwards': { pattern: '.', glob: '../**' },
      'a glob from the root': { pattern: '.', glob: '/etc/**' },
      'a glob of all that is hidden': { pattern: 'cnry', glob: '{.git,.git/**,**/.*}' },
      'a path that is an option': { pattern: '.', path: '-uuu' },
      'a regex bomb': { pattern: '(a+)+(b+)+(c+)+$' },
      'a regex of much memory': { pattern: '(x{1000}){1000}' },
      'a pattern over lines': { pattern: '(?s).*\\n.*' },
      'a NUL in a pattern': { pattern: 'x\0y' },
      'the canaries themselves': { pattern: 'cnry[0-9a-f]+', limit: 200 },
    }),
    ...each(contained, 'find_code', {
      'the canaries themselves': { query: 'cnry', limit: 20 },
      "another tenant's words": { query: 'victimSecretFunction victim ledger', limit: 20 },
      'SQL in quotes': { query: `" OR 1=1 UNION SELECT * FROM chunks --` },
      "the index's own syntax": { query: 'repo_id:* NEAR(value secret) ^victim* {text}:cnry' },
      'very long': { query: 'victim '.repeat(140) },
    }),
    ...each(refused, 'read_file', {
      'a number for a path': { path: 1 },
      'a list for a path': { path: ['value.txt', '../value.txt'] },
      'an object for a path': { path: { toString: 'value.txt' } },
      'a polluted prototype': { ...JSON.parse('{"constructor":{"prototype":{"polluted":"yes"}}}'), path: 'value.txt' },
    }),
    ...each(contained, 'read_file', {
      'a negative line': { path: 'value.txt', start_line: -1 },
      'an endless line': { path: 'value.txt', start_line: 1e308 },
    }),
    ...each({ ...refused, role: 'coder' }, 'write_file', { 'no content': { path: 'value.txt' } }),
    ...each({ ...contained, role: 'coder' }, 'write_file', { 'a NUL': { path: 'value.txt', content: 'fixed\n\0' } }),
    ...each({ ...refused, role: 'coder' }, 'run_command', {
      'longer than a command may be': { command: HUGE },
    }),
    ...each({ ...contained, role: 'coder' }, 'run_command', {
      'a list': { command: ['sh', '-c', `touch ${at.proof}/list; echo ${RAN}`] },
    }),
    { ...contained, name: 'planner: read_file a member __proto__', calls: [{ tool: 'read_file', input: hostile }] },
    ...unknown.map(
      (tool): Payload => ({
        ...refused,
        name: `planner: the tool ${tool}`,
        calls: [{ tool, input: { path: 'value.txt', content: 'x', command: `touch ${at.proof}/planner` } }],
      }),
    ),
    ...['write_file', 'edit_file', 'run_command', 'approve'].map(
      (tool): Payload => ({
        ...refused,
        role: 'reviewer',
        name: `reviewer: the tool ${tool}`,
        calls: [{ tool, input: { path: 'value.txt', content: 'x', command: `touch ${at.proof}/reviewer` } }],
      }),
    ),
  ];
}

/** The same few orders in every place that a model may read. */
export function channelPayloads(at: Surroundings): Payload[] {
  const read: Call = { tool: 'read_file', input: { path: `${at.home}/.netrc` } };
  const short: Call = { tool: 'read_file', input: { path: '../x' } };
  const reads: readonly (readonly [ScriptedRole, Channel, Call])[] = [
    ...(['title', 'label', 'outline', 'file name', 'tool error', 'hit'] as const).flatMap((via) => [
      ['planner', via, short] as const,
    ]),
    ...(['instructions', 'advice', 'file', 'search', 'triage', 'guidance'] as const).map(
      (via) => ['planner', via, read] as const,
    ),
    ...(['advice', 'file', 'command output', 'test output', 'plan', 'note'] as const).map(
      (via) => ['coder', via, read] as const,
    ),
    ...(['diff', 'advice', 'file'] as const).map((via) => ['reviewer', via, read] as const),
  ];
  return reads.map(([role, via, call]) => ({
    name: `${role}: told by the ${via}`,
    role,
    via,
    outcome: 'refused',
    calls: [call],
  }));
}
