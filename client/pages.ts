/**
 * All pages of a list, one call for each as the loop advances. `call` is given the cursor of the page, undefined for the first:
 *
 *     for await (const { mentions } of pages((cursor) => client.searchFeedback({ query: { words: 'export', cursor } })))
 */
export async function* pages<R extends { next_cursor: string | null }>(
  call: (cursor: string | undefined) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  let cursor: string | undefined
  do {
    const page = await call(cursor)
    yield page
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
}
