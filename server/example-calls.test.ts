import type { Route } from '@groundswell/contract/route.ts'
import { routes } from '@groundswell/contract/routes.ts'
import { expect, it } from 'vitest'
import { nobodysObjects } from './example-calls.ts'

/** What the example of a call lacks, or its schemas refuse. */
function faultsOf(route: Route): string[] {
  const example = route.example?.(nobodysObjects({ destination: 'webhook', source: 'slack' })) ?? {}
  const refused = (['params', 'query', 'body'] as const).filter((part) => {
    return route[part] && !route[part].safeParse(example[part] ?? {}).success
  })
  const raw = (example.raw === undefined) === (route.raw === true) ? ['raw'] : []
  return [...refused, ...raw].map((part) => `${route.name}: ${part}`)
}

it('each call has an example that its schemas accept', () => {
  expect(routes.flatMap(faultsOf)).toEqual([])
})
