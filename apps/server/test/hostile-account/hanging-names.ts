import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startNameServer } from '@sluice/testing';
import { type HttpSession, signUp } from '../http-session.ts';
import { startProcess } from '../service-process.ts';

// One account has sixty webhooks sent to names that no server answers for. Another user registers a repository and tests a
// webhook, with and without that, in turns. In a network of its own, where this process is the name server of the machine:
//
//   unshare --net --mount node hanging-names.ts PROGRAM ROUNDS
//
// Prints the times as JSON.

const [, , program = '', rounds = '7'] = process.argv;
const RECEIVER_PORT = 4_790;
const NO_SERVER_PORT = 4_791;
const TARGETS = 10;
const TESTS = 60; // as many as one account may have sent in an hour
const GIVEN_UP_MS = 150_000;
const LOOK_MS = 20;
const UNDER_WAY_MS = 2_000; // until the first names hang
const CLOCK_TICKS = 100; // of /proc, a second

interface Times {
  readonly registrationMs: number[];
  readonly webhookMs: number[];
  /** Processor time of the server. */
  readonly cpuMs: number[];
}

execFileSync('ip', ['link', 'set', 'lo', 'up']);
const folder = mkdtempSync(join(tmpdir(), 'sluice-names-'));
writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\n');
execFileSync('mount', ['--bind', join(folder, 'resolv.conf'), '/etc/resolv.conf']);
const names = await startNameServer(
  (name) => (name.endsWith('.good') ? { A: ['127.0.0.1'] } : { after: { A: 'never', AAAA: 'never' } }),
  53,
);
const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
receiver.listen(RECEIVER_PORT, '127.0.0.1');
await once(receiver, 'listening');
const service = await startProcess(
  {
    REGISTRATION: 'open',
    LIMIT_REGISTER: '0',
    LIMIT_CREATE_REPO: '0',
    ALLOW_PRIVATE_HOSTS: 'on',
    NOTIFY_ALLOW_HOSTS: `*.good:${RECEIVER_PORT}`,
    DATA_DIR: folder,
    SANDBOX: 'none',
    LOG_LEVEL: 'warn',
  },
  [],
  { program },
);

process.once('exit', () => void process.kill(service.pid, 'SIGKILL'));

const failures: string[] = [];
const victim = await signUp(service.url);
const webhook = await addWebhook(victim, `http://hook.good:${RECEIVER_PORT}/`);
await measure(empty()); // the first of each loads code
const without = empty();
const during = empty();
for (let round = 0; round < Number(rounds); round += 1) {
  await measure(without);
  const attacker = await signUp(service.url);
  const targets = await Promise.all(
    Array.from({ length: TARGETS }, (_, index) => addWebhook(attacker, `https://n${round}-${index}.hangs.example/`)),
  );
  for (let sent = 0; sent < TESTS; sent += 1) await sendTest(attacker, targets[sent % TARGETS] ?? '');
  await pause(UNDER_WAY_MS);
  await measure(during);
  for (const id of targets) await attacker.call('DELETE', `/api/notifications/targets/${id}`);
  await untilQuiet();
}
process.stdout.write(`${JSON.stringify({ without, during, failures })}\n`);
await names[Symbol.asyncDispose]();
rmSync(folder, { recursive: true, force: true });
process.exit();

function empty(): Times {
  return { registrationMs: [], webhookMs: [], cpuMs: [] };
}

async function measure(times: Times): Promise<void> {
  const cpu = cpuMs();
  const began = performance.now();
  // Nothing listens there, so the time is that of the name and of one refused connection.
  const url = `https://git.good:${NO_SERVER_PORT}/owner/name${began}.git`;
  const { status, body } = await victim.call('POST', '/api/repos', { url });
  if (status !== 400 || !JSON.stringify(body).includes('could not be reached')) {
    failures.push(`A registration was answered with ${status}: ${JSON.stringify(body)}`);
  }
  const registered = performance.now();
  const id = await sendTest(victim, webhook);
  const end = await untilEnded(victim, { target: webhook, delivery: id });
  if (end !== 'delivered') failures.push(`A webhook is ${end} after ${GIVEN_UP_MS / 1_000} s at most.`);
  times.registrationMs.push(registered - began);
  times.webhookMs.push(performance.now() - registered);
  times.cpuMs.push(cpuMs() - cpu);
}

async function addWebhook(person: HttpSession, url: string): Promise<string> {
  const target = { channel: 'webhook', url, events: ['gate.opened'] };
  const { status, body } = await person.call<{ id: string }>('POST', '/api/notifications/targets', target);
  if (status !== 201) throw new Error(`A webhook was answered with ${status}: ${JSON.stringify(body)}`);
  return body.id;
}

async function sendTest(person: HttpSession, target: string): Promise<string> {
  const path = `/api/notifications/targets/${target}/test`;
  const { status, body } = await person.call<{ id: string }>('POST', path, {});
  if (status !== 201) throw new Error(`A test was answered with ${status}: ${JSON.stringify(body)}`);
  return body.id;
}

async function untilEnded(person: HttpSession, of: { target: string; delivery: string }): Promise<string> {
  const limit = performance.now() + GIVEN_UP_MS;
  while (performance.now() < limit) {
    const path = `/api/notifications/targets/${of.target}/deliveries`;
    const { body } = await person.call<{ items: { id: string; status: string }[] }>('GET', path);
    const found = body.items.find(({ id }) => id === of.delivery);
    if (found !== undefined && found.status !== 'pending') return found.status;
    await pause(LOOK_MS);
  }
  return 'pending';
}

/** Waits until the server asks for no hanging name any more. */
async function untilQuiet(): Promise<void> {
  for (let before = -1; names.asked.length !== before; ) {
    before = names.asked.length;
    await pause(8_000); // the second try of a query waits four seconds
  }
}

/** The processor time of the server so far. */
function cpuMs(): number {
  const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / CLOCK_TICKS;
}
