/** An entry of its own: the command asks this without loading the service. */
export { nearlySpelledOut, spellsOutEdits } from '@sluice/agents/spells-out-edits';
