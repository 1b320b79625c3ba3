import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder inside that holds the forwarder and its socket. */
const serviceInside = '/run/sluice';

/** The sandbox has its own network, so this port cannot conflict with the host. */
const port = 3_128;

/** The command wrapped in the forwarder, and the mounts for it: the service's Node, the script and the socket. */
export function behindForwarder(argv: readonly string[], socketPath: string) {
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

/** The variables in which package managers look for a proxy. */
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

/** The host's trusted authorities on Debian and on Fedora, and their derivatives. Both are visible inside. */
const authorityFiles = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/cert.pem'];

/** Node trusts only its built-in authorities, and would reject a company's registry or proxy that the host trusts. */
function trustedAuthorities(): Record<string, string> {
  const file = authorityFiles.find((path) => existsSync(path));
  return file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file };
}
