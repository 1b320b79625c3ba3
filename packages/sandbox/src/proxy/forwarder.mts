/**
 * Runs inside the sandbox, with the service's Node. Forwards connections from 127.0.0.1 to the proxy's socket, because tools
 * accept a proxy only as host and port. Starts the command and exits with its exit code.
 * Arguments: port, socket, then the command.
 */
import { spawn } from 'node:child_process';
// house-rule(host-names): by the path of a socket
import { connect, createServer } from 'node:net';

const [port, socketPath, program, ...rest] = process.argv.slice(2);

const server = createServer({ allowHalfOpen: true }, (near) => {
  const far = connect({ path: socketPath ?? '', allowHalfOpen: true });
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.once('close', () => far.destroy());
  far.once('close', () => near.destroy());
  near.pipe(far).pipe(near);
});

server.listen(Number(port), '127.0.0.1', () => {
  const command = spawn(program ?? '', rest, { stdio: 'inherit' });
  command.once('error', () => process.exit(127));
  command.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 128 + (signals[signal] ?? 0)));
});

const signals: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
  SIGXFSZ: 25,
};
