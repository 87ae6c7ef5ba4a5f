import { expect, test } from 'vitest'
import { leaveOutServerOnly } from './leave-out-server-only.ts'

const CONTRACT = `
export const Push = z.object({
  body: z.string(),
  params: z.string(),
})
export const push = route({
  name: 'push',
  summary:
    'Push one thing; as long as the line allows and then some more',
  method: 'POST',
  path: '/api/{id}/push',
  access: 'member',
  audit: { action: 'thing.pushed', target: 'id' },
  params: ThingId,
  query: z.object({ dry: z.optional(z.boolean()) }),
  body: z.object({
    to: z.array(
      z.object({ name: z.string() }),
    ),
  }),
  raw: true,
  reply: z.object({
    query: z.string(),
  }),
  errors: ['invalid_input', 'not_found'],
  needs: 'a thing',
  ends: 'import',
  example: ({ thing }) => ({
    params: { id: thing },
    body: { to: [] },
  }),
})
`

function transformed(id: string, command: 'build' | 'serve' = 'serve', code = CONTRACT): unknown {
  const { transform, configResolved } = leaveOutServerOnly()
  if (typeof configResolved !== 'function') throw new Error('the plugin reads the configuration by a function')
  Reflect.apply(configResolved, undefined, [{ command }])
  if (typeof transform !== 'object') throw new Error('the plugin transforms by an object with a handler')
  return Reflect.apply(transform.handler, undefined, [code, id])
}

test('only what a call needs is left of it; schemas keep every field', () => {
  expect(transformed('/contract/pushes.ts')).toBe(`
export const Push = z.object({
  body: z.string(),
  params: z.string(),
})
export const push = route({
  name: 'push',
  method: 'POST',
  path: '/api/{id}/push',
  raw: true,
})
`)
})

test('where replies are compared, their schemas are left too', () => {
  expect(transformed('/contract/pushes.ts?with-replies')).toBe(`
export const Push = z.object({
  body: z.string(),
  params: z.string(),
})
export const push = route({
  name: 'push',
  method: 'POST',
  path: '/api/{id}/push',
  raw: true,
  reply: z.object({
    query: z.string(),
  }),
})
`)
})

test('in a build no library of schemas is left, and each schema can be removed', () => {
  const schema = `import * as z from 'zod/mini'
export const Form = z.record(z.string(), z.unknown()).check(z.refine((values) => values.z.length < 9))
`
  expect(transformed('/contract/forms.ts', 'build', schema)).toBe(`const z = undefined
export const Form = /* @__PURE__ */ z.record(/* @__PURE__ */ z.string(), /* @__PURE__ */ z.unknown()).check(/* @__PURE__ */ z.refine((values) => values.z.length < 9))
`)
  expect(transformed('/contract/forms.ts?with-replies', 'build', schema)).toBe(schema)
})
