import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { routes } from '../routes.ts'

/** Fields in which a person or a program gives an address, by their names. */
const ADDRESS = /(^|_)(url|uri|link|href|address|website|issuer|image|picture|avatar|icon|logo)$/
/** Addresses whose server has a stricter rule of its own. */
const CHECKED_BY_THE_SERVER: Record<string, string> = {
  'saveSingleSignOn body.issuer':
    'never shown as a link; server/auth/sso/configure.ts requires https and a name of the web',
}
const NONE = ['javascript:alert(1)', 'data:text/html,x', '//evil.example/x', '/settings', 'https://a@evil.example/']

type Field = { at: string; schema: z.core.$ZodType }

/** The fields of a schema whose names say that they are addresses. */
function addressesIn(schema: z.core.$ZodType | undefined, at: string): Field[] {
  if (schema === undefined) return []
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'object') {
    return Object.entries(def.shape).flatMap(([name, field]) => {
      const here = `${at}.${name}`
      return [...(ADDRESS.test(name) ? [{ at: here, schema: field }] : []), ...addressesIn(field, here)]
    })
  }
  const within: z.core.$ZodType[] = []
  if ('innerType' in def) within.push(def.innerType)
  if ('element' in def) within.push(def.element)
  if ('valueType' in def) within.push(def.valueType)
  if ('options' in def) within.push(...def.options)
  if ('in' in def) within.push(def.in, def.out)
  return within.flatMap((one) => addressesIn(one, at))
}

const fields = routes.flatMap(({ name, body, query }) => [
  ...addressesIn(body, `${name} body`),
  ...addressesIn(query, `${name} query`),
])

test('the calls that take an address are these', () => {
  expect(fields.map(({ at }) => at).sort()).toEqual([
    'createReceiver body.url',
    'saveSingleSignOn body.issuer',
    'sendFeedback body.items.link',
    'updateReceiver body.url',
  ])
})

const checked = fields.filter(({ at }) => !(at in CHECKED_BY_THE_SERVER)).map(({ at, schema }) => [at, schema] as const)

test.each(checked)('%s takes addresses of web pages only', (_at, schema) => {
  expect(z.safeParse(schema, 'https://example.com/1').success).toBe(true)
  expect(NONE.filter((address) => z.safeParse(schema, address).success)).toEqual([])
})
