import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectorById, connectors, posterOf } from './index.ts'

/** Folders that are not connectors of the product. */
const others = new Set([
  'conformance',
  'kit',
  'sandbox',
  '_template',
  '_template-source',
  '_template-tracker',
  'node_modules',
])
const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !others.has(entry.name))
  .map((entry) => entry.name)
const ids = connectors.map((connector) => connector.manifest.id)

describe('the list of connectors', () => {
  it('holds each folder once', () => {
    expect(ids.toSorted()).toEqual(folders.toSorted())
  })

  it('finds a connector by its id, and nothing by anything else', () => {
    expect(connectorById('webhook')?.manifest.label).toBe('Webhook')
    for (const id of ['_template', 'constructor', '__proto__', '', 'Webhook']) expect(connectorById(id)).toBeUndefined()
  })

  it('has built Slack, the file and the webhook', () => {
    const built = connectors.filter((connector) => !connector.manifest.comingSoon)
    expect(built.map((connector) => connector.manifest.id)).toEqual(
      expect.arrayContaining(['slack', 'file', 'webhook']),
    )
  })

  it('has a README for each connector that is built, with what it does not cover', () => {
    for (const { manifest } of connectors.filter((connector) => !connector.manifest.comingSoon)) {
      const page = new URL(`./${manifest.id}/README.md`, import.meta.url)
      expect(readFileSync(page, 'utf8')).toMatch(/not covered/i)
    }
  })

  it.each(connectors.filter(({ manifest, file }) => !manifest.comingSoon && !file).map(({ manifest }) => manifest.id))(
    'has the set-up of %s in its README, what it may do, its limits, and what is not covered',
    (id) => {
      const page = readFileSync(new URL(`./${id}/README.md`, import.meta.url), 'utf8')
      const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading)
      for (const expected of [/^(Sign in|Set up)$/, /^Limits$/, /^Not covered$/]) {
        expect(headings).toContainEqual(expect.stringMatching(expected))
      }
      expect(page).toMatch(/scope|permission/i)
    },
  )
})

const addresses = connectors.flatMap(({ manifest }) =>
  manifest.fields.filter(({ kind }) => kind === 'url').map(({ name }) => [manifest.id, name, manifest.form] as const),
)

it.each(addresses)('the form of %s takes no %s that is no address of a web page', (_id, name, form) => {
  const refuses = (address: string) =>
    form?.safeParse({ [name]: address }).error?.issues.some(({ path: at }) => at[0] === name)
  const none = ['javascript:alert(1)', 'data:text/html,x', '//evil.example/x', 'https://user:secret@evil.example/']
  expect(none.filter((address) => !refuses(address))).toEqual([])
})

describe.each(connectors.filter(({ poster }) => poster).map((one) => [one.manifest.id, one] as const))(
  'the second sign-in of %s',
  (id, { poster, manifest }) => {
    it('is found by its id, and is neither a tile, a source nor a destination', () => {
      const second = posterOf(id)
      expect(second?.manifest).toMatchObject({ id: `${id}-post`, label: manifest.label, side: 'poster', tile: false })
      expect(connectorById(`${id}-post`)).toBe(second)
      expect(connectors).not.toContain(second)
      for (const part of ['pull', 'push', 'tracker', 'receive', 'file', 'poster'] as const) {
        expect(second?.[part]).toBeUndefined()
      }
      expect(second?.manifest.form.safeParse({}).success).toBe(false)
    })

    it('says what it permits, is described in the README, and knows the app that reads', () => {
      expect(poster?.permits).toMatch(/^[A-Z].*\.$/)
      expect(readFileSync(new URL(`./${id}/README.md`, import.meta.url), 'utf8')).toMatch(/^## Posting$/m)
      expect(poster?.isSameApp({ client_id: '1' }, { client_id: '1' })).toBe(true)
      expect(poster?.isSameApp({ client_id: '1' }, { client_id: '2' })).toBe(false)
    })
  },
)

it('gives each field of the user’s data a value for when nothing is connected', () => {
  for (const { manifest } of connectors) {
    const { userData } = manifest.describe({ name: 'Acme', team: 'Acme' }, { webhook: 'https://example.com/' })
    expect([manifest.id, Object.keys(manifest.unconnected).sort()]).toEqual([manifest.id, Object.keys(userData).sort()])
  }
})

it.each([
  ['slack', { slack_data: { access_token: null, team: { name: 'Acme' } } }],
  ['azure', { azure_data: { name: 'Acme' } }],
  ['linear', {}],
])('%s gives the user’s data its fields', (id, userData) => {
  expect(connectorById(id)?.manifest.describe({ name: 'Acme', team: 'Acme' }, {})).toEqual({ name: 'Acme', userData })
})

it('docs/operations.md has every environment variable of a connector in one table', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../docs/operations.md'), 'utf8')
  const section = page.slice(page.indexOf('\n## Providers'))
  const table = section.slice(0, section.indexOf('\n## ', 1))
  const missing = connectors.flatMap(({ manifest: { id }, app }) => {
    const folder = path.join(import.meta.dirname, id)
    const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /^[^.]+\.ts$/.test(name))
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
      .join('\n')
    const hosts = [...code.matchAll(/hostUrl\(([^)]+)\)/g)].flatMap(([, given = '']) =>
      [...given.replace(/=== '\w+'/g, '').matchAll(/'(\w+)'/g)].map(([, host = '']) => host),
    )
    const variables = [
      ...Object.values(app?.environment ?? {}),
      ...(app ? [`${id.toUpperCase()}_BASE_URL`] : []),
      ...hosts.map((host) => `${id.toUpperCase()}_${host.toUpperCase()}_BASE_URL`),
    ]
    return variables.filter((name) => !table.includes(`\`${name}\``))
  })
  expect(missing).toEqual([])
})
