#!/usr/bin/env node
// better-sqlite3 ends an older Node with a segmentation fault and no word, so this comes before any import of ours.
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `sluice needs Node 24 or newer and this is ${process.version}. In a checkout: npm run sluice -- ARGS\n`,
  );
  process.exit(1);
}
// Who reads our output may stop before its end (`sluice run --json | head -1`); that is no fault of ours to report.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
const { default: manifest } = await import('../package.json', { with: { type: 'json' } });
const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${manifest.version}\n`); // scripts ask it often, and it needs none of what follows
} else {
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(args, manifest.version);
}

export {};
