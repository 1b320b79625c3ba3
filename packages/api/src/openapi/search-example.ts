/** An example answer of a search in a repository. */
export const searchExample = {
  'repos.search': {
    items: [
      {
        path: 'src/sum.ts',
        start_line: 1,
        end_line: 1,
        symbol: 'sum',
        text: 'export const sum = (list: number[]) => list.reduce(add);',
        score: 0.82,
      },
    ],
  },
};
