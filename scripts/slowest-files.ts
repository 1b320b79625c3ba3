import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** A reporter of vitest: lists the test files that took the most CPU time, with that of their child processes. */
// biome-ignore lint/style/noDefaultExport: vitest takes the default export of a reporter file.
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((file) => ({
      path: relative(file.project.config.root, file.moduleId),
      cpu: file.meta().cpuSeconds ?? 0,
      seconds: file.diagnostic().duration / 1000,
      tests: [...file.children.allTests()].length,
    }));
    files.sort((one, other) => other.cpu - one.cpu);
    const total = files.reduce((sum, { cpu }) => sum + cpu, 0);
    console.log(`\n${files.length} files took ${total.toFixed(0)} s of CPU time. Most of it took:`);
    for (const { path, cpu, seconds, tests } of files.slice(0, SHOWN)) {
      console.log(`${cpu.toFixed(1).padStart(7)} s CPU, ${seconds.toFixed(1).padStart(6)} s, ${tests} tests: ${path}`);
    }
  }
}
