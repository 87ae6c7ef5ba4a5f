import type { PageInfo } from '../schema.ts'

type ListPage = { items: readonly unknown[]; malformed?: readonly unknown[]; page: PageInfo }

/** How many items a page should have by Help Scout's own count. */
export function expectedOn(number: number, { size, totalElements }: PageInfo): number {
  return Math.max(0, Math.min(size, totalElements - size * (number - 1)))
}

/**
 * A page of a list. One with fewer items than Help Scout counts, or with none although `some` are expected, is requested once more: what
 * it lacks would otherwise be found only when it changes again.
 */
export async function fullPage<P extends ListPage>(
  request: (number: number) => Promise<P>,
  number: number,
  some: boolean,
): Promise<P> {
  const first = await request(number)
  if (first.malformed !== undefined && first.malformed.length > 0) return first
  const isFull = first.items.length >= expectedOn(number, first.page) && !(some && first.items.length === 0)
  return isFull ? first : await request(number)
}
