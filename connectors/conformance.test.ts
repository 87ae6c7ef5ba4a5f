import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { template } from './_template/index.ts'
import { templateSource } from './_template-source/index.ts'
import { templateTracker } from './_template-tracker/index.ts'
import { pushChecks } from './conformance/push-checks.ts'
import type { Connector } from './connector.ts'
import { connectors } from './index.ts'
import type { Sample } from './kit/sample.ts'

const all: readonly Connector[] = [...connectors, template, templateSource, templateTracker]
const pushing = all.filter((connector) => connector.push)

const junk: unknown[] = [
  undefined,
  null,
  0,
  1.5,
  Number.NaN,
  true,
  '',
  'text',
  '[]',
  [],
  [[]],
  [1],
  () => 1,
  Symbol('s'),
  10n,
]

/** The sample that a connector's own `testing.ts` exports. */
async function sampleOf(connector: Connector): Promise<Sample> {
  const path = new URL(`./${connector.manifest.id}/testing.ts`, import.meta.url).href
  const loaded = (await import(path)) as { sample: Sample }
  return loaded.sample
}

describe.each(all.map((connector) => [connector.manifest.id, connector] as const))('%s', (id, connector) => {
  const { manifest } = connector

  it('has a consistent manifest', () => {
    expect(existsSync(new URL(`./${id}/index.ts`, import.meta.url))).toBe(true)
    expect(manifest.label.trim()).not.toBe('')
    expect(manifest.info.length).toBeGreaterThan(10)
    expect(manifest.info.length).toBeLessThanOrEqual(60)
    const names = manifest.fields.map((field) => field.name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining([...manifest.secretFields]))
    const sealed = manifest.fields.filter((field) => field.kind === 'secret').map((field) => field.name)
    expect([...manifest.secretFields]).toEqual(expect.arrayContaining(sealed))
    expect(manifest.fields.every((field) => field.label !== '')).toBe(true)
  })

  it('has a small, self-contained SVG for a logo, or none', () => {
    const { logo } = manifest
    if (logo === null) return
    expect(logo).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="[\d .]+"[^>]*>[^]+<\/svg>$/)
    expect(logo.length).toBeLessThanOrEqual(4096)
    expect(logo).not.toMatch(/<(script|style|foreignObject|image)|\son\w+=|href|url\((?!#)|<!/i)
    expect(logo.match(/<[a-z]/gi)?.length).toBe(logo.match(/\/>|<\//g)?.length)
  })

  it('has the parts of its side, or is coming soon', () => {
    const { pull, file, push, tracker } = connector
    const sends = [push, tracker].filter(Boolean)
    expect([pull, file, ...sends].some(Boolean)).toBe(!manifest.comingSoon)
    expect(sends).toHaveLength(manifest.side === 'destination' && !manifest.comingSoon ? 1 : 0)
    expect(connector.retrySchedule !== undefined).toBe(sends.length > 0)
    const delays = [...(connector.retrySchedule ?? [])]
    expect(delays).toEqual(delays.toSorted((a, b) => a - b))
    expect(delays.every((delay) => Number.isInteger(delay) && delay > 0)).toBe(true)
  })

  it('knows the account that its choices belong to', () => {
    const { choices, oauth, check } = connector
    expect(choices === undefined || oauth !== undefined || check !== undefined).toBe(true)
  })

  it('refuses junk as a form', () => {
    for (const value of junk) expect(manifest.form.safeParse(value).success).toBe(false)
    expect(manifest.form.safeParse(Object.fromEntries(junk.entries())).success).toBe(false)
    for (const value of [...junk, {}, new Date()]) {
      const form = Object.fromEntries(
        [...manifest.fields.map((field) => field.name), 'other'].map((name) => [name, value]),
      )
      expect(manifest.form.safeParse(form).success).toBe(false)
    }
  })
})

describe.each(pushing.map((connector) => [connector.manifest.id, connector] as const))('%s pushes', (_, connector) => {
  it.each(pushChecks.map((check) => [check.name, check] as const))('%s', async (__, check) => {
    expect.hasAssertions()
    expect(await check.run({ connector, sample: await sampleOf(connector) })).toBeUndefined()
  })
})

it('every built connector with a form has a sample for this suite', () => {
  const missing = readdirSync(import.meta.dirname).filter(
    (folder) =>
      all.some(({ manifest, push, pull, tracker }) => manifest.id === folder && (push || pull || tracker)) &&
      !existsSync(new URL(`./${folder}/testing.ts`, import.meta.url)),
  )
  expect(missing).toEqual([])
})
