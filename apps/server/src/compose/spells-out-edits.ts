/** An entry of its own: the command asks this without loading the service. */
export { spellsOutEdits } from '@sluice/agents/spells-out-edits';
