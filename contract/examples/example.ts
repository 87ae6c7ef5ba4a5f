import type { GivenTo, ReplyOf, Route } from '../route.ts'

/** A call as it might be made, and its reply: for the OpenAPI document and the reference. */
export type Example = { route: Route; params?: unknown; query?: unknown; body?: unknown; reply: unknown }

/** An example of a route, typed by its schemas. */
export function example<R extends Route>(route: R, shown: GivenTo<R> & { reply: ReplyOf<R> }): Example {
  return { route, ...shown }
}
