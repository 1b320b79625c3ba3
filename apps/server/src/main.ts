// better-sqlite3 ends an older Node with a segmentation fault and no word, so this comes before any import of ours.
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(`Sluice needs Node 24 or newer and this is ${process.version}. In a checkout: npm start\n`);
  process.exit(1);
}
// Compiled again at each start, the sources take three times as long. A build brings its own cache.
const [, program = ''] = process.argv;
if (program.endsWith('.ts')) {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(`${program}/../../../../node_modules/.cache/node`);
}
const { serve } = await import('./serve.ts');
try {
  await serve();
} catch (error) {
  process.stderr.write(`sluice: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

export {};
