import { ContractError } from '@groundswell/contract/errors.ts'

type Page<T> = { items: T[]; next_cursor: string | null }

/**
 * A page of a list that is in memory, largest `rank` first, and of those that are equal the largest `id` first. The cursor names the last
 * item of the page before, so that nothing is skipped or repeated where others are added in between.
 */
export function pageOf<T>(
  all: readonly T[],
  { rank, id }: { rank: (one: T) => number; id: (one: T) => number },
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Page<T> {
  const after = cursor === undefined ? null : placeOf(cursor)
  const follows = (one: T) =>
    after === null || rank(one) < after.rank || (rank(one) === after.rank && id(one) < after.id)
  const rest = all.filter(follows).sort((one, other) => rank(other) - rank(one) || id(other) - id(one))
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  const isMore = last !== undefined && rest.length > items.length
  return { items, next_cursor: isMore ? `${rank(last)}_${id(last)}` : null }
}

function placeOf(cursor: string): { rank: number; id: number } {
  const [, rank, id] = /^(-?\d{1,16})_(\d{1,10})$/.exec(cursor) ?? []
  if (rank === undefined || id === undefined) {
    throw new ContractError('invalid_input', 'cursor: does not belong to this list', {
      cursor: 'does not belong to this list',
    })
  }
  return { rank: Number(rank), id: Number(id) }
}
