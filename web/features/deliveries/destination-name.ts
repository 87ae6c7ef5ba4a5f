import { tiles } from '@groundswell/contract/tiles.ts'

/** The destinations there can be, by id and as people call them. */
export const destinations = tiles.filter((one) => one.side === 'destination')

/** A destination as people call it; an unknown one by its id. */
export function destinationName(id: string): string {
  return destinations.find((one) => one.tile === id)?.name ?? id
}
