import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestPerson } from '../../platform/http/testing.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { createImport, type ImportOptions } from './imports/create-import.ts'
import { runImport } from './imports/run-import.ts'
import { feedbackRoutes } from './routes.ts'

let ann: TestPerson
const hooks = { stored: async () => undefined }

const test = appOfFile((services) => [...accountRoutes(services), ...feedbackRoutes(services, hooks)])
beforeEach(async () => {
  ann = await test.person(randomUUID())
})

const bytesOf = async function* (text: string) {
  yield Buffer.from(text)
}
const importText = async (text: string, options: Partial<ImportOptions>, who = ann) => {
  const given = { name: 'week-1.csv', ...options }
  const { id } = await createImport(test.services, who.workspaceId, given, bytesOf(text), { background: false })
  return runImport(test.services, who.workspaceId, id, hooks)
}
const preview = async (text: string, query = '', who = ann) => {
  const url = `/api/imports/preview?name=week-2.csv&size=${Buffer.byteLength(text)}${query}`
  return (await test.call('POST', url, { as: who, payload: text })).json()
}
const asQuery = (mapping: object) => `&mapping=${encodeURIComponent(JSON.stringify(mapping))}`

const week = (rows: readonly string[], header = 'ref,who,firm,review,note') => [header, ...rows].join('\n')
const first = week(['a1,Ann,Acme,The lift is slow,short', 'a2,Bo,Beta,The door to the roof is stuck again,short'])
const second = week(['a3,Cy,Acme,The stairs are far too steep,short', 'a4,Di,Beta,The roof leaks,short'])
const chosen = { text: 'note', author: 'who', customer: 'firm', id: 'ref' }

describe('a file with the same header', () => {
  it('has the columns and the source that were chosen the last time, and says what would be detected', async () => {
    const detected = (await preview(second)).mapping
    expect(detected).not.toEqual(chosen)
    expect((await preview(second)).remembered).toBeNull()
    const ended = await importText(first, { mapping: chosen, sourceName: 'Reviews', ownReplies: 'feedback' })
    const seen = await preview(second)
    expect(seen).toMatchObject({
      mapping: chosen,
      same: null,
      remembered: {
        imported_at: ended.started_at,
        source: { id: ended.source?.id, name: 'Reviews', messages: 2 },
        own_replies: 'feedback',
        detected,
      },
    })
    expect(seen.expected.samples[0]).toMatchObject({ text: 'short', author: 'Cy', customer: 'Acme' })
  })

  it('has them also where its columns are in another order, and as JSON', async () => {
    await importText(first, { mapping: chosen })
    const turned = week(['short,a5,Ann,Acme,The lift is slow'], 'note,ref,who,firm,review')
    expect((await preview(turned)).mapping).toEqual(chosen)
    const json = JSON.stringify([{ ref: 'a6', who: 'Ann', firm: 'Acme', review: 'The lift is slow', note: 'short' }])
    const answer = await test.call('POST', '/api/imports/preview?name=a.json', { as: ann, payload: json })
    expect(answer.json().mapping).toEqual(chosen)
  })

  it('has the latest choice, and none that the call overrides', async () => {
    await importText(first, { mapping: chosen })
    const later = { text: 'review', author: 'who' }
    await importText(second, { mapping: later, source: 'new' })
    expect((await preview(first)).mapping).toEqual(later)
    const own = await preview(first, asQuery(chosen))
    expect(own).toMatchObject({ mapping: chosen, remembered: null })
  })

  it('has none of an import that was undone, that failed, or that nobody chose the columns of', async () => {
    const undone = await importText(first, { mapping: chosen })
    await test.call('DELETE', `/api/imports/${undone.id}`, { as: ann })
    expect((await preview(second)).remembered).toBeNull()
    expect(await importText(first, { mapping: { text: 'nothing of that name' } })).toMatchObject({ state: 'failed' })
    expect((await preview(second)).remembered).toBeNull()
    await importText(first, {})
    expect((await preview(second)).remembered).toBeNull()
  })

  it('is one of the same workspace, with the same names, and with a header', async () => {
    await importText(first, { mapping: chosen })
    const other = await test.person(randomUUID())
    expect((await preview(second, '', other)).remembered).toBeNull()
    expect((await preview(week(['a1,Ann,Acme,The lift is slow,1'], 'ref,who,firm,review,stars'))).remembered).toBeNull()
    await importText('5,The lift is slow\n6,The door is stuck', { mapping: { text: '2' }, header: false })
    expect((await preview('7,The roof leaks\n8,The lift is slow', '&header=false')).remembered).toBeNull()
  })

  it('knows whose replies are those of the own side from its source', async () => {
    const replies = [
      'Hi Bo, thanks for reaching out! We have forwarded this to our engineering team.',
      'Hello Ann, sorry for the trouble. Could you please send us a screenshot?',
      'Thank you for your patience, our team is looking into this.',
      'We have released a fix, please update the app and let us know.',
      'Hi Cem, thanks for your feedback, we will pass it on to our product team.',
    ].map((text, at) => `r${at},Ines,,"${text}",short`)
    const mapping = { text: 'review', author: 'who' }
    const ended = await importText(`${first}\n${replies.join('\n')}`, { mapping })
    expect(ended).toMatchObject({ added: 2, context: 5 })
    const next = `${second}\na9,Ines,,We look into it,short`
    expect((await preview(next)).expected).toMatchObject({ messages: 2, own: 1 })
  })
})
