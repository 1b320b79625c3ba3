#!/usr/bin/env -S node --
// The dashes: without them Node looks for a file named by --env-file itself, and ends with 9 where there is none.
// better-sqlite3 crashes an older Node without a message, so this check precedes every other import.
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `sluice requires Node 24 or newer; this is ${process.version}. In a checkout: npm run sluice -- ARGS\n`,
  );
  process.exit(1);
}
// Compiled again at each start, the sources take three times as long. A build brings its own cache.
const [, program = ''] = process.argv;
if (program.endsWith('.ts')) {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(`${program}/../../../../node_modules/.cache/node`);
}
// A reader may close the pipe early (`sluice run --json | head -1`). That is not an error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    try {
      process.stderr.write(`sluice: The output could not be written: ${error.message}\n`);
    } finally {
      process.exit(1);
    }
  });
}
const { default: manifest } = await import('../package.json', { with: { type: 'json' } });
const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Scripts call it often, and it needs none of the imports below.
  const { ownCommit } = await import('@sluice/server/own-commit');
  const commit = await ownCommit(process.argv[1] ?? '');
  process.stdout.write(`${manifest.version}${commit === null ? '' : ` (${commit.slice(0, 10)})`}\n`);
} else {
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(args, manifest.version);
}

export {};
