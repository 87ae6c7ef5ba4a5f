import { randomUUID } from 'node:crypto'
import type { ExampleInput, ExampleObjects } from '@groundswell/contract/examples/objects.ts'
import type { Route } from '@groundswell/contract/route.ts'

/** A request of the example of a call. `payload`: an object is sent as JSON, a text as bytes. */
export type ExampleRequest = { url: string; payload?: string | object; headers: Record<string, string> }

/** Objects that are in no workspace, or the first ones of any. `tiles`: of a destination and of a source. */
export function nobodysObjects(tiles: { destination: string; source: string }): ExampleObjects {
  const numbers = new Set([
    'issue',
    'similarIssue',
    'deletedIssue',
    'theme',
    'removedTheme',
    'emerging',
    'dismissedEmerging',
  ])
  return objectsBy((kind) => {
    if (kind === 'destination' || kind === 'source') return tiles[kind]
    return numbers.has(kind) ? 1 : kind === 'mention' ? '1:0' : randomUUID()
  })
}

/** The kinds of objects that the example of a call names. */
export function objectsNamedBy(route: Route): ReadonlySet<keyof ExampleObjects> {
  const named = new Set<keyof ExampleObjects>()
  route.example?.(
    objectsBy((kind) => {
      named.add(kind)
      return kind
    }),
  )
  return named
}

/** The example of a call as it is sent. */
export function exampleRequest(route: Route, objects: ExampleObjects): ExampleRequest {
  return requestOf(route, route.example?.(objects) ?? {})
}

/** A call as it is sent. */
export function requestOf(route: Route, { params = {}, query, body, raw }: ExampleInput): ExampleRequest {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const pairs = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const payload = raw ?? body
  return {
    url: pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`,
    ...(payload === undefined ? {} : { payload }),
    headers: raw === undefined ? {} : { 'content-type': 'application/octet-stream' },
  }
}

function objectsBy(valueOf: (kind: keyof ExampleObjects) => string | number): ExampleObjects {
  return new Proxy({} as ExampleObjects, { get: (_, kind) => valueOf(kind as keyof ExampleObjects) })
}
