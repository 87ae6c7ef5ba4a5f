import { ReplyTooLong } from '../kit/http/json-call.ts'

/** Each is a divisor of the ones before it, so that a smaller page starts where a larger one would. */
const SIZES = [100, 20, 4, 1]

/** The query of one page. */
export type PageQuery = { per_page: number; page: number }

/**
 * The entries of a list, page by page, up to `limit`. A page that is larger than a response may be is requested again in smaller ones:
 * the texts of issues are part of their lists.
 */
export async function* entries<T>(read: (query: PageQuery) => Promise<readonly T[]>, limit: number): AsyncGenerator<T> {
  let sizes = SIZES
  for (let at = 0; at < limit; ) {
    const [size = 1, ...smaller] = sizes
    let page: readonly T[]
    try {
      page = await read({ per_page: size, page: at / size + 1 })
    } catch (error) {
      if (!(error instanceof ReplyTooLong) || smaller.length === 0) throw error
      sizes = smaller
      continue
    }
    yield* page
    if (page.length < size) return
    at += size
  }
}
