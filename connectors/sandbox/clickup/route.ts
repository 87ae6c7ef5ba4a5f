export type Fields = Record<string, unknown>
type Request = { ids: readonly string[]; query: URLSearchParams; body: Fields }
/** The path is that of the official description. */
export type Route = { method: string; template: string; answer: (request: Request) => unknown }
