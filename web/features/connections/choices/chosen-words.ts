import type { ChosenView } from '@groundswell/contract/connections.ts'

/** The values chosen for one field: "#general, #support and 3 more". */
export function chosenWords({ values, more }: ChosenView): string {
  const named = values.join(', ')
  return more > 0 ? `${named} and ${more} more` : named
}

/** What a tile says of the choices: "Mobile app / Bug". Only the first two fields, which say where things are. */
export function chosenSummary(chosen: readonly ChosenView[]): string {
  return chosen.slice(0, 2).map(chosenWords).join(' / ')
}
