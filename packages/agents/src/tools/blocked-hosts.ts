const MAX_NAMED = 5;

/** How programs say that they cannot find or reach a host; each with the host where they name it. */
const COMPLAINTS = [
  /(?:EAI_AGAIN|ENOTFOUND)[\s:]+([\w.-]+\.\w+)/g, // Node
  /[Cc]ould not resolve (?:host|proxy)?:? ?'?([\w.-]+\.\w+)/g, // curl, git, cargo, apt
  /Failed to (?:resolve|connect to) '?([\w.-]+\.\w+)/g, // Python, curl
  /HTTPS?ConnectionPool\(host='([\w.-]+)'/g, // Python's requests
  /dial tcp:? (?:lookup )?([\w.-]+\.[a-z]\w*)/g, // Go
  /UnknownHostException: ([\w.-]+\.\w+)/g, // Java
  /TCP connection to ([\w.-]+\.\w+)/g, // Ruby
  /unable to resolve host address .([\w.-]+\.\w+)/g, // wget
  /(?:unreachable|name resolution|lookup address)[^\n]*\bhttps?:\/\/([\w.-]+)/g,
];

/** Hosts that the output of a command complains about, each once. A program's own servers are not among them. */
export function blockedHosts(output: string): string[] {
  const hosts = COMPLAINTS.flatMap((complaint) => [...output.matchAll(complaint)].map(([, host]) => host ?? ''));
  return [...new Set(hosts)].filter((host) => !/^(?:localhost|127\.|0\.0\.0\.0)/.test(host)).slice(0, MAX_NAMED);
}
