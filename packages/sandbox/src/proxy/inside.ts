import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder inside that holds the forwarder and its socket. */
const serviceInside = '/run/sluice';

/** Ports are the sandbox's own, so this one is never taken by the host. */
const port = 3_128;

/** A command that runs below the forwarder, and what must be shown inside for that: our Node, the script and the socket. */
export function throughForwarder(argv: readonly string[], socketPath: string) {
  const [node, script, socket] = ['node', 'forwarder.mts', 'proxy.sock'].map((name) => `${serviceInside}/${name}`) as [
    string,
    string,
    string,
  ];
  return {
    argv: [node, '--disable-warning=ExperimentalWarning', script, String(port), socket, ...argv],
    binds: [
      [process.execPath, node] as const,
      [fileURLToPath(import.meta.resolve('./forwarder.mts')), script] as const,
      [socketPath, socket] as const,
    ],
  };
}

/** The names under which package managers look for a proxy. */
export function proxyEnvironment(): Record<string, string> {
  const url = `http://127.0.0.1:${port}`;
  const java = ['http', 'https']
    .map((scheme) => `-D${scheme}.proxyHost=127.0.0.1 -D${scheme}.proxyPort=${port}`)
    .join(' ');
  const environment: Record<string, string> = { NO_PROXY: 'localhost,127.0.0.1', no_proxy: 'localhost,127.0.0.1' };
  for (const name of [
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'http_proxy',
    'https_proxy',
    'npm_config_proxy',
    'npm_config_https_proxy',
    'CARGO_HTTP_PROXY',
  ]) {
    environment[name] = url;
  }
  return { ...environment, ...trustedAuthorities(), NODE_USE_ENV_PROXY: '1', MAVEN_OPTS: java, GRADLE_OPTS: java };
}

/** Where the host keeps the authorities that it trusts: Debian and its like, Fedora and its like. Both are shown inside. */
const authorityFiles = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/cert.pem'];

/** Node knows its own authorities only: a company's registry or proxy would not be trusted where the host trusts it. */
function trustedAuthorities(): Record<string, string> {
  const file = authorityFiles.find((path) => existsSync(path));
  return file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file };
}
