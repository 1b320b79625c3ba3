const step = { title: 'Sum', detail: 'Begin at 0.', files: ['src/sum.js', 'test/sum.test.js'] };

/** The plan that all shapes hold. */
export const plan = {
  summary: 'Sum from {0}.',
  steps: [step],
  acceptance_criteria: [],
  risks: ['None.'],
  test_strategy: 'x',
};

const json = JSON.stringify(plan);
const fenced = `\`\`\`json\n${JSON.stringify(plan, null, 2)}\n\`\`\``;
const withFiles = (files: unknown) => ({ ...plan, steps: [{ ...step, files }] });

/** The input of the tool in the shapes of weak models. */
export const planInputs: readonly (readonly [string, object])[] = [
  ['as it should be', plan],
  ['in an object of its name', { plan }],
  ['in an object as text', { answer: json }],
  ['with files as text', withFiles('src/sum.js, test/sum.test.js')],
  ['with files as lines', withFiles('- src/sum.js\n- test/sum.test.js')],
  ['with members that are not wanted', { ...plan, confidence: 0.9, steps: [{ ...step, id: 1 }] }],
  ['with a text as a list', { ...plan, risks: '- None.' }],
  ['with null for what is left out', { ...plan, kind: null, answer: null, open_questions: undefined }],
  ['with one step instead of a list', { ...plan, steps: plan.steps[0] }],
  ['with a list as a text', { ...plan, test_strategy: [plan.test_strategy] }],
  ['as a call', { name: 'submit_plan', arguments: plan }],
  ['as a call with text', { type: 'function', name: 'submit_plan', parameters: json }],
  ['with steps as text', { ...plan, steps: JSON.stringify(plan.steps) }],
];

/** A plan in text in the shapes of weak models. */
export const planShapes: readonly (readonly [string, string])[] = [
  ...planInputs.map(([how, input]) => [how, JSON.stringify(input)] as const),
  ['after words', `I have looked at it. Here is the plan:\n\n${json}`],
  ['in a fence', fenced],
  ['in the tags of a call', `<tool_call>\n{"name": "submit_plan", "arguments": ${json}}\n</tool_call>`],
  ['before words', `${json}\n\nLet me know if you want anything else.`],
  ['in a fence before words', `${fenced}\n\nThis is the smallest change.`],
  ['after a brace in the words', `The loop \`for (…) { sum += x }\` begins at {1}.\n${json}`],
  ['after another object', `The file holds {"name": "sum"}.\n${json}`],
];
