import type { PageInfo } from './schema.ts'

type ListPage<I> = { items: I[]; page: PageInfo }

/** How many items a page should have by Help Scout's own count. */
export function expectedOn(number: number, { size, totalElements }: PageInfo): number {
  return Math.max(0, Math.min(size, totalElements - size * (number - 1)))
}

/**
 * A page of a list. One with fewer items than Help Scout counts, or with none although `some` are expected, is requested once more: what
 * it lacks would otherwise be found only when it changes again.
 */
export async function fullPage<I>(
  request: (number: number) => Promise<ListPage<I>>,
  number: number,
  some: boolean,
): Promise<ListPage<I>> {
  const first = await request(number)
  const isFull = first.items.length >= expectedOn(number, first.page) && !(some && first.items.length === 0)
  return isFull ? first : await request(number)
}
