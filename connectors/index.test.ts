import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tiles } from '@groundswell/contract/tiles.ts'
import { describe, expect, it } from 'vitest'
import { connectorById, connectors } from './index.ts'

/** Folders that are no connector of the product. */
const others = new Set(['kit', 'sandbox', '_template', 'node_modules'])
const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !others.has(entry.name))
  .map((entry) => entry.name)
const ids = connectors.map((connector) => connector.manifest.id)

describe('the list of connectors', () => {
  it('holds each folder once', () => {
    expect(ids.toSorted()).toEqual(folders.toSorted())
  })

  it('has the tiles of the contract, by name, side and order', () => {
    const shown = connectors.map((connector) => connector.manifest).filter((manifest) => manifest.tile)
    expect(shown.map(({ id, label, side }) => ({ tile: id, name: label, side }))).toEqual([...tiles])
  })

  it('finds a connector by its id, and nothing by any other word', () => {
    expect(connectorById('webhook')?.manifest.label).toBe('Webhook')
    for (const word of ['_template', 'constructor', '__proto__', '', 'Webhook'])
      expect(connectorById(word)).toBeUndefined()
  })

  it('has built Slack, the file and the webhook; the others are to come', () => {
    const built = connectors.filter((connector) => !connector.manifest.comingSoon)
    expect(built.map((connector) => connector.manifest.id)).toEqual(['slack', 'file', 'webhook'])
  })

  it('comes with a page of its own for each that is built', () => {
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
