export { belongsToTests, isTestFile } from './belongs-to-tests.ts';
export { changeFindings, isJudgedFile } from './change-findings.ts';
export { fitsTitle } from './fits-title.ts';
export { touchedTests } from './touched-tests.ts';
