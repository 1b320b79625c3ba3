import { detectionResults } from '../src/project/test/detection-results.ts';

// Prints which commands are found for each kind of repository, and for how many they are the expected ones:
// node packages/workspace/bench/detection.ts
const results = await detectionResults();
const table = results.flatMap(({ fixture, found, isRight }) => [
  `${isRight ? 'right' : 'WRONG'}  ${fixture.name}`,
  `       setup: ${found.setup ?? '-'}`,
  `       test:  ${found.test ?? '-'}`,
  ...(isRight ? [] : [`       expected: ${fixture.setup?.join(' … ') ?? '-'} | ${fixture.test.join(' … ')}`]),
]);
const right = results.filter(({ isRight }) => isRight).length;
process.stdout.write(`${table.join('\n')}\n\n${right} of ${results.length} are right\n`);
