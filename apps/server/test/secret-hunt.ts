import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** Looks for secrets wherever a test has gathered what was said, written and run. */
export interface SecretHunt extends Disposable {
  readonly size: number;
  /** Another secret; `kind` names it where it is found, because the secret itself must not be in a report. */
  add(kind: string, secret: string): void;
  /** Keeps a text that was seen somewhere. */
  saw(where: string, text: string): void;
  /** Keeps what can be seen now of the processes below this one: their arguments, and environments but git's own. */
  sawProcesses(where: string): void;
  /** Where secrets are among all that was kept and in the files below the folders: `where: kind (spelling)`. */
  found(...folders: string[]): string[];
}

const MIN_LENGTH = 16; // anything shorter is found by chance
const NOT_THERE = 'No such file or directory';
const BATCH = 4_000; // words that one search looks for

export function openSecretHunt(): SecretHunt {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-hunt-'));
  const kept = join(scratch, 'kept');
  mkdirSync(kept);
  const secrets = new Map<string, string>();
  const texts = new Map<string, Set<string>>();
  const saw = (where: string, text: string) => {
    const seen = texts.get(where) ?? new Set();
    texts.set(where, seen.add(text));
  };
  return {
    get size() {
      return secrets.size;
    },
    add: (kind, secret) => {
      if (secret.length < MIN_LENGTH) throw new Error(`A secret of the kind ${kind} is too short to be looked for.`);
      secrets.set(secret, kind);
    },
    saw,
    sawProcesses: (where) => {
      for (const pid of descendants()) {
        const command = ofProcess(pid, 'cmdline');
        saw(`${where}: arguments`, command);
        // Before its name: a child that is about to become git has the environment of before until it is.
        const environment = ofProcess(pid, 'environ');
        if (!isGit(pid)) saw(`${where}: environment`, environment);
      }
    },
    found: (...folders) => {
      for (const [where, seen] of texts) writeFileSync(join(kept, where.replaceAll(/\W+/g, '-')), [...seen].join('\n'));
      const words = new Map<string, string>();
      for (const [secret, kind] of secrets) {
        for (const [spelling, word] of spellings(secret)) {
          if (!words.has(word)) words.set(word, `${kind} (${spelling})`);
        }
      }
      const all = [...words.keys()];
      const hits = new Set<string>();
      for (let at = 0; at < all.length; at += BATCH) {
        const list = join(scratch, 'words');
        writeFileSync(list, `${all.slice(at, at + BATCH).join('\n')}\n`);
        const { stdout, stderr, status } = spawnSync('grep', ['-raoFZ', '-f', list, kept, ...folders], {
          encoding: 'latin1',
          env: { ...process.env, LC_ALL: 'C' },
          maxBuffer: 64 * 1024 * 1024,
        });
        // A server that still works removes files meanwhile, but not its folders.
        const isGone = (said: string) =>
          said.endsWith(`: ${NOT_THERE}`) && !folders.some((folder) => said === `grep: ${folder}: ${NOT_THERE}`);
        const faults = stderr.split('\n').filter((said) => said !== '' && !isGone(said));
        if (status === null || faults.length > 0) throw new Error(`Not all could be searched: ${faults.join('; ')}`);
        for (const line of stdout.split('\n').filter((one) => one !== '')) {
          const [path = '', word = ''] = line.split('\0');
          const where = path.startsWith(kept) ? relative(kept, path) : path;
          hits.add(`${where}: ${words.get(word) ?? 'a secret'}`);
        }
      }
      return [...hits].sort();
    },
    [Symbol.dispose]: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

/** A secret as it is, and as it looks inside an address, a header or a dump. */
function spellings(secret: string): [string, string][] {
  const bytes = Buffer.from(secret);
  const within = [0, 1, 2].map((before): [string, string] => ['base64', middleOf(bytes, before)]);
  return [
    ['plain', secret],
    ['in an address', encodeURIComponent(secret)],
    ['hex', bytes.toString('hex')],
    ['turned around', [...secret].reverse().join('')],
    ...within,
    ...within.map(([, word]): [string, string] => ['base64', word.replaceAll('+', '-').replaceAll('/', '_')]),
  ];
}

/** The part of the base64 of any text with the secret after so many bytes, modulo three, that is always the same. */
function middleOf(secret: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
  return text.slice(before === 0 ? 0 : before + 1, Math.floor(((before + secret.length) * 4) / 3));
}

/** The processes below this one. Others are left out: another test's server has its secrets in its environment. */
function descendants(): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  return pids.filter((pid) => isBelowThis(pid, (at) => parents.get(at)));
}

function isBelowThis(pid: string, parent: (pid: string) => string | undefined): boolean {
  const seen = new Set<string>();
  for (let at = parent(pid); at !== undefined && !seen.has(at); at = parent(at)) {
    if (at === String(process.pid)) return true;
    seen.add(at);
  }
  return false;
}

function parentOf(pid: string): string | undefined {
  return /^PPid:\t(\d+)$/m.exec(ofProcess(pid, 'status'))?.[1];
}

function ofProcess(pid: string, what: 'cmdline' | 'environ' | 'comm' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'latin1').replaceAll('\0', '\n');
  } catch {
    return ''; // it has ended
  }
}

/**
 * Git gets the token of its one call by its environment, which is where it belongs, and so do its helpers and the shell by
 * which it starts them or `true`, its command for refs of elsewhere. One that has ended has no name, and may have been
 * git; so may the parent of one that lives have been, which has ended: it is below another process then, and not below this one.
 */
function isGit(pid: string): boolean {
  const name = ofProcess(pid, 'comm').trim();
  if (/^git(-|$)|^$/.test(name)) return true;
  if (name !== 'sh' && name !== 'true') return false;
  const parent = parentOf(pid);
  if (parent === undefined || !isBelowThis(pid, parentOf)) return true;
  return /^git(-|$)|^$/.test(ofProcess(parent, 'comm').trim());
}
