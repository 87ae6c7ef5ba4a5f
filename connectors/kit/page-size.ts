import { ReplyTooLong } from './http/json-call.ts'

/** Repeats a call with smaller pages as long as its response is larger than the limit, down to the last of `sizes`. */
export async function withPageSize<T>(sizes: readonly number[], send: (size: number) => Promise<T>): Promise<T> {
  const [size = 1, ...smaller] = sizes
  try {
    return await send(size)
  } catch (error) {
    if (!(error instanceof ReplyTooLong) || smaller.length === 0) throw error
    return await withPageSize(smaller, send)
  }
}
