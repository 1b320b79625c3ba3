/** Limits on the text of an issue, whatever its origin. */
export const issueBounds = {
  titleCharacters: 200,
  bodyBytes: 65_536,
  labels: 50,
  labelCharacters: 100,
} as const;
