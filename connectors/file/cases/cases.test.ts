import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { presetOf, presets } from '../presets/presets.ts'
import { readAll } from '../testing.ts'
import { seenIn } from './case.ts'
import { cases } from './cases.ts'
import { documentOf, outcomes, wrongIn } from './document.ts'

const all = Object.values(cases).flat()

describe('a file as people have it', () => {
  it.each(all)('is read with its texts, dates, people and columns: $preset $name, $what', async (one) => {
    expect(wrongIn(one, await seenIn(one))).toEqual([])
  })

  it('is there for each product that is recognised', async () => {
    const seen = await Promise.all(all.map(seenIn))
    const found = new Set(seen.map(({ columns }) => presetOf(columns)))
    expect(presets.filter((preset) => !found.has(preset)).map(({ label }) => label)).toEqual([])
  })

  it('is in docs/files.md with what is read from it; `npm run files` writes it', async () => {
    const [, ...tables] = readFileSync(new URL('../../../docs/files.md', import.meta.url), 'utf8').split(
      /^(?=## Exports)/m,
    )
    const words = (text: string) => text.replaceAll(/ +|-{3,}/g, ' ').trim()
    expect(words(tables.join(''))).toBe(words(documentOf(await outcomes())))
  })
})

const folder = new URL('../../../../shared/data/field-reports/', import.meta.url)
const files = existsSync(folder) ? readdirSync(folder) : []

describe.skipIf(files.length === 0)('a file beside the project', () => {
  it.each(files)('%s has messages, each with a text without markup, and most with a date', async (name) => {
    const { items } = await readAll(readFileSync(new URL(name, folder)), name)
    expect(items.length).toBeGreaterThan(0)
    expect(items.filter(({ text }) => text.trim() === '' || /<(?:p|div|br)[\s/>]/.test(text))).toEqual([])
  })
})
