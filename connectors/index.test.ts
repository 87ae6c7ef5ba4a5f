import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { connectorById, connectors } from './index.ts'

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

  it('has a README for each connector that is built', () => {
    for (const { manifest } of connectors.filter((connector) => !connector.manifest.comingSoon)) {
      const page = new URL(`./${manifest.id}/README.md`, import.meta.url)
      expect(existsSync(page)).toBe(true)
      expect(readFileSync(page, 'utf8')).toMatch(/not covered/i)
    }
  })
})

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
