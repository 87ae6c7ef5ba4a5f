import type { Context, Http, HttpRequest, HttpResponse, SetAsideView } from '../connector.ts'
import { parseJson } from '../kit/http/parse-json.ts'
import { createPageStore, type PageStore } from '../kit/page-store.ts'
import { pullOf, type SourceSubject } from './source-run.ts'

type Json = Record<string, unknown>
/** An object of a response that has an id, and the call whose response it is, without ids. `where`: its place in the response. */
export type Found = { call: string; where: string; id: string; value: Json }
/** A field that is null in every response, of an object in a list. `silent`: without it there may be nothing to read. */
export type Nulled = Omit<Found, 'value'> & { field: readonly string[]; silent: boolean }

/** Responses as `change` returns them. */
export const changing = (http: Http, change: (request: HttpRequest, response: HttpResponse) => HttpResponse): Http => ({
  request: async (request) => change(request, await http.request(request)),
})

/** A request without its host, as it is read by people: ids in it can be found as words. */
export function wordsOf({ method, url, body }: HttpRequest): string {
  const { pathname, search } = new URL(url)
  const target = decodeURIComponent((pathname + search).replaceAll('+', ' '))
  return `${method} ${target} ${typeof body === 'string' ? decodeURIComponent(body) : ''}`
}

/** An id that is longer may contain what separates words; it is in no text by chance. */
const MAX_WORD = 12

/** Whether a text contains an id as a whole word. */
export const mentions = (text: string, id: string): boolean =>
  text.split(/[^\w.@-]+/).includes(id) || (id.length > MAX_WORD && text.includes(id))

/** The parts of an external id. */
const segments = (externalId: string) => externalId.split(':')

/** Every object with an id in the responses of a whole pull. Those inside another one belong to it. */
export function recording(http: Http): { http: Http; found: Found[]; requests: HttpRequest[] } {
  const found: Found[] = []
  const requests: HttpRequest[] = []
  const look = (call: string, where: string, value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) look(call, `${where}[]`, one)
    else if (isObject(value)) {
      const id = idOf(value)
      if (id !== null) found.push({ call, where, id, value })
      else for (const [key, inner] of Object.entries(value)) look(call, `${where}.${key}`, inner)
    }
  }
  const recorded = changing(http, (request, response) => {
    requests.push(request)
    look(callOf(request), '', parseJson(response.body))
    return response
  })
  return { http: recorded, found, requests }
}

/** The fields of an object, also those of objects in it; of lists in it, those of their items. */
export function fieldsOf(value: unknown): string[][] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one).map((field) => ['[]', ...field]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    inner === null ? [] : [[key], ...fieldsOf(inner).map((field) => [key, ...field])],
  )
}

/** Responses in which these fields are null. */
export const nulling = (http: Http, fields: readonly Nulled[]): Http =>
  changing(http, (request, response) => {
    const call = callOf(request)
    const mine = fields.filter((field) => field.call === call)
    const body = mine.length > 0 ? parseJson(response.body) : undefined
    if (body === undefined) return response
    const look = (where: string, value: unknown): void => {
      if (Array.isArray(value)) for (const one of value) look(`${where}[]`, one)
      else if (isObject(value)) {
        const id = idOf(value)
        if (id === null) for (const [key, inner] of Object.entries(value)) look(`${where}.${key}`, inner)
        else for (const one of mine) if (one.where === where && one.id === id) setNull(value, one.field)
      }
    }
    look('', body)
    return { ...response, body: JSON.stringify(body) }
  })

function setNull(value: unknown, [key, ...rest]: readonly string[]): void {
  if (key === '[]' && Array.isArray(value)) for (const one of value) setNull(one, rest)
  else if (key !== undefined && isObject(value) && key in value) {
    if (rest.length === 0) value[key] = null
    else setNull(value[key], rest)
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

function idOf(value: Json): string | null {
  const id = value.id ?? value.ts
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}

/** Parts of a path with a digit are ids. */
function callOf({ method, url }: HttpRequest): string {
  const path = new URL(url).pathname.split('/').map((part) => (/\d|%/.test(part) && !/^v\d/.test(part) ? '#' : part))
  return `${method} ${path.join('/')}`
}

/** What a source had read and set aside when it came to the end of a round; `failures`: what stopped it before. */
export type Rounds = {
  store: PageStore
  aside: SetAsideView
  incomplete: string | null
  failures: unknown[]
  isAtEnd: boolean
}

/** Pulls until a round is complete, as the queue does, at most `tries` times. */
export async function pullToEnd(
  { connector }: Pick<SourceSubject, 'connector'>,
  context: Context,
  tries: number,
  store = createPageStore(),
): Promise<Rounds> {
  const rounds: Rounds = { store, aside: { items: [], more: 0 }, incomplete: null, failures: [], isAtEnd: false }
  for (let round = 0; round < tries && !rounds.isAtEnd; round += 1) {
    try {
      for await (const page of pullOf(connector, context, store.cursor())) {
        store.commit(page)
        rounds.aside = page.setAside ?? rounds.aside
        rounds.incomplete = page.incomplete ?? null
      }
      rounds.isAtEnd = true
    } catch (error) {
      rounds.failures.push(error)
    }
  }
  return rounds
}

/** The threads that contain the object with this id, or are contained in it. */
export function threadsWith(store: PageStore, id: string): string[] {
  const items = [...store.items.values()]
  const own = items.filter(
    ({ externalId, thread }) => thread === id || (externalId.includes(id) && segments(externalId).includes(id)),
  )
  return [...new Set(own.map(({ externalId, thread }) => thread ?? externalId))]
}

/** The external ids of all items but those of these threads. */
export const idsWithout = (store: PageStore, threads: readonly string[]): string[] =>
  [...store.items.values()]
    .filter(({ externalId, thread }) => !threads.includes(thread ?? externalId))
    .map(({ externalId }) => externalId)
    .toSorted()

/** The last part of a thread's id: what requests about it contain. */
export const keyOf = (thread: string): string => segments(thread).at(-1) ?? thread
