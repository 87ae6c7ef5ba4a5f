import { createHash } from 'node:crypto'
import type { Example } from '@groundswell/contract/examples/example.ts'
import { examples } from '@groundswell/contract/examples.ts'
import { INSIGHT_FIELDS, insightFields } from '@groundswell/contract/insight-fields.ts'
import { routes } from '@groundswell/contract/routes.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { silentLog } from '../log/log.ts'
import { duringTests } from '../testing.ts'
import { createHttp } from './create.ts'
import { openApiDocument } from './openapi.ts'
import { parseInput } from './parse.ts'
import { referencePage } from './reference/page.ts'

let document: ReturnType<typeof JSON.parse>

const app = duringTests(() =>
  createHttp({ config: readConfig({}), log: silentLog() }, { handlers: [], authenticate: async () => null }),
)

beforeAll(async () => {
  document = (await app.inject({ url: '/api/openapi.json' })).json()
})

const open = routes.filter(({ scope }) => scope !== undefined)
const of = (name: string): Example | undefined => examples.find(({ route }) => route.name === name)
const named = examples.map((example) => [example.route.name, example] as const)

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    const result = await new Validator().validate(structuredClone(document))
    expect([result.valid, result.errors]).toEqual([true, undefined])
    const broken = await new Validator().validate({ ...structuredClone(document), paths: { 'no-slash': {} } })
    expect(broken.valid).toBe(false)
  })

  it('has every call, with the scope that a key needs', () => {
    for (const { name, path, method, scope, access } of routes) {
      const operation = document.paths[path][method.toLowerCase()]
      const security = access === 'public' ? [] : [{ bearer: scope ? [scope] : [] }]
      expect([operation.operationId, operation.security, operation.tags]).toEqual([name, security, [scope ?? 'no key']])
    }
  })

  it('has an example of every call that a key may make (contract/examples.ts)', () => {
    expect(open.filter(({ name }) => !of(name)).map(({ name }) => name)).toEqual([])
    for (const { name, path, method } of open) {
      const { requestBody, responses, parameters = [] } = document.paths[path][method.toLowerCase()]
      const shown = [requestBody, responses['200']].map((part) => part?.content['application/json'].example)
      expect([name, ...shown]).toEqual([name, of(name)?.body, of(name)?.reply])
      const needed = parameters.filter(({ required }: { required: boolean }) => required)
      expect([name, needed.filter(({ example }: { example?: unknown }) => example === undefined)]).toEqual([name, []])
    }
  })

  it('says what each stored field of an insight is (contract/insight-fields.ts)', () => {
    const { responses } = document.paths['/api/insights/get-all'].get
    const { properties } = responses['200'].content['application/json'].schema.items
    const said = INSIGHT_FIELDS.map((name) => [name, properties[name].description])
    expect(said).toEqual(INSIGHT_FIELDS.map((name) => [name, insightFields[name].doc]))
  })

  it.each(named)(
    'has an example of %s that its schemas accept as it is',
    (_name, { route, params, query, body, reply }) => {
      expect(() => parseInput(route, { params: params ?? {}, query: query ?? {}, body: body ?? {} })).not.toThrow()
      expect(route.reply.parse(reply)).toEqual(reply)
    },
  )

  it('has schemas that accept the examples too, by a validator that does not know the contract', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    const errors: unknown[] = []
    const check = (name: string, schema: object, value: unknown) => {
      const validate = ajv.compile(schema)
      if (!validate(value)) errors.push([name, validate.errors])
    }
    for (const { name, path, method } of open) {
      const { requestBody, responses, parameters = [] } = document.paths[path][method.toLowerCase()]
      const reply = responses['200'].content['application/json']
      check(name, reply.schema, reply.example)
      const body = requestBody?.content['application/json']
      if (body) check(name, body.schema, body.example)
      for (const { schema, example } of parameters) if (example !== undefined) check(name, schema, example)
    }
    for (const { value } of Object.values<{ value: unknown }>(document.components.examples)) {
      check('Error', document.components.schemas.Error, value)
    }
    expect(errors).toEqual([])
  })

  it('shows each error that a call may be refused with', () => {
    const refused = document.paths['/api/insights/{issue_number}/corrections'].post.responses
    expect(Object.keys(refused['403'].content['application/json'].examples)).toEqual(['forbidden'])
    expect(document.components.examples.forbidden.value).toMatchObject({ code: 'forbidden' })
  })
})

describe('the reference', () => {
  const get = () => app.inject({ url: '/api/reference' })

  it('shows every call of API keys with its example, and names the others', async () => {
    const { statusCode, headers, body } = await get()
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const { name, path } of open) {
      expect(body).toContain(`<article id="${name}">`)
      expect(body).toContain(`<a href="#${name}">`)
      expect(body).toContain(`<code>${path}</code>`)
    }
    expect(body).toContain('The CSV export fails on large reports')
    expect(body).toContain('<span class="type">integer · optional</span><p>All its mentions;')
    expect(body).toContain('POST /api/auth/login')
    expect(body).not.toContain('<article id="login">')
    expect(body).toContain('<code>link</code> <span class="type">text or null</span>')
    expect(body).toContain('<code>limit</code> <span class="type">integer · 1 to 200 · default 50 · optional</span>')
    expect(body).not.toMatch(/undefined|\[object|string,null/)
  })

  it('has no script and loads nothing, by its policy and in fact', async () => {
    const { headers, body } = await get()
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(body) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(body).not.toMatch(/<script|<img|<link|<iframe|\son\w+=|style="|url\(|@import|src=/)
    const links = [...body.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
    expect(links.filter((href) => !href.startsWith('#') && href !== '/api/openapi.json')).toEqual([])
  })

  it('shows what a call says as text', () => {
    const [first] = routes
    const evil = { ...first, summary: `<script>alert('&"')</script>`, scope: 'read' } as typeof first
    if (!evil) throw new Error('there are no routes')
    const { html } = referencePage(openApiDocument([evil]))
    expect(html).toContain('&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;')
  })
})
