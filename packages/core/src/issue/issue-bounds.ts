/** What the text of an issue may come to, wherever it comes from. */
export const issueBounds = {
  titleCharacters: 200,
  bodyBytes: 65_536,
  labels: 50,
  labelCharacters: 100,
} as const;
