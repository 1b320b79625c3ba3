/** Messages of git about a failing remote, with the sentence to show for each. The first match wins. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [
    /could not read (Username|Password)|Authentication failed|returned error: 40[13]|terminal prompts disabled|HTTP Basic: Access denied/i,
    'The repository asks for access: give an access_token that may read it, or check the one that is stored.',
  ],
  [
    /returned error: 30\d|unable to update url base from redirection|redirect/i,
    'The repository has moved: its server answers with a redirect. Give the address that it redirects to.',
  ],
  [
    /certificate|SSL|TLS|gnutls|schannel/i,
    'No secure connection to the server: its TLS certificate is expired, for another name or from an unknown authority, or the port does not speak TLS.',
  ],
  [
    /repository '?.*'? not found|returned error: 404|does not appear to be a git repository|is this a git repository|not a git repository/i,
    'There is no git repository at this address, or it is private and needs an access_token.',
  ],
  [/Could not resolve host/i, 'The name of the server could not be resolved.'],
  [
    /timed? ?out|Operation too slow|less than \d+ bytes\/sec/i,
    'The server of the repository did not answer in time: try again later.',
  ],
  [
    /Failed to connect|Connection refused|Could not connect|No route to host|Network is unreachable|Empty reply|Connection reset|unable to access|early EOF|unexpected disconnect|hung up/i,
    'The server of the repository could not be reached: try again later.',
  ],
  [
    /fsck|bad object|index-pack failed|invalid index-pack/i,
    'The repository holds damaged or unsafe objects, and git refuses to take them.',
  ],
  [/transport '.*' not allowed/i, 'The repository asks for a transport that is not allowed here.'],
  [/couldn't find remote ref/i, 'The repository does not have this branch.'],
];

/** The sentence for what git wrote to stderr, or null when it says nothing about the remote. */
export function remoteSentence(stderr: string): string | null {
  return sentences.find(([pattern]) => pattern.test(stderr))?.[1] ?? null;
}
