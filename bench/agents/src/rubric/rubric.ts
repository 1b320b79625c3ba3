import * as z from 'zod';

/** The questions of "would you merge it?", each with its answers, the best first. */
export const rubric = [
  { id: 'merge', question: 'Would you merge it?', answers: ['as it is', 'after small changes', 'no'] },
  { id: 'correct', question: 'Does it do what was asked?', answers: ['yes', 'in part', 'no'] },
  { id: 'tests', question: 'Would its tests find the fault if it came back?', answers: ['yes', 'in part', 'no'] },
  {
    id: 'scope',
    question: 'Does it change what was asked, and nothing else?',
    answers: ['yes', 'a little more', 'no'],
  },
  { id: 'style', question: 'Does it look like the code around it?', answers: ['yes', 'mostly', 'no'] },
] as const;

/** What a person answered about one change, in the file that the page saves. */
export const rubricAnswers = z.object({
  reviewer: z.string().min(1),
  answers: z.array(
    z.object({
      /** The change's name on the page, which does not tell whose change it is. */
      change: z.string(),
      merge: z.enum(rubric[0].answers),
      correct: z.enum(rubric[1].answers),
      tests: z.enum(rubric[2].answers),
      scope: z.enum(rubric[3].answers),
      style: z.enum(rubric[4].answers),
      comment: z.string().default(''),
      minutes: z.number().nonnegative().nullable().default(null),
    }),
  ),
});
export type RubricAnswers = z.infer<typeof rubricAnswers>;
