/** Begins the reason of an issue that its planner ends without a step: what follows are the planner's words. */
export const NOTHING_TO_DO = 'There is nothing to do: ';
