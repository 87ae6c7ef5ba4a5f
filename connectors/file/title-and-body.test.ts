import { describe, expect, it } from 'vitest'
import { preview } from './preview.ts'
import { options, readAll } from './testing.ts'
import { titleAndBody } from './title-and-body.ts'

describe('title and body', () => {
  it.each([
    ['Slow', 'The sync takes minutes', 'Slow\n\nThe sync takes minutes'],
    ['Dark theme', '', 'Dark theme'],
    ['', 'Only a body', 'Only a body'],
    ['Sync fails', 'Sync fails', 'Sync fails'],
    ['Sync fails', 'Sync fails on my phone', 'Sync fails on my phone'],
    ['Sync Fails!', 'sync fails. On my phone', 'sync fails. On my phone'],
    ['My claim took four mon…', 'My claim took four months', 'My claim took four months'],
    ['My claim took ...', 'My  claim\ntook four months', 'My  claim\ntook four months'],
    // Near misses: another word, a word further on, a title without letters.
    ['App', 'apple pay is missing', 'App\n\napple pay is missing'],
    ['Claim', 'My claim took months', 'Claim\n\nMy claim took months'],
    ['???', 'Where is it', '???\n\nWhere is it'],
  ])('%j above %j is %j', (title, body, message) => {
    expect(titleAndBody(title, body)).toBe(message)
  })
})

const rows = (header: string, ...lines: string[]) => [header, ...lines].join('\n')

describe('a file with a title and a body', () => {
  const reviews = rows(
    'date,rating,review,title',
    '2026-10-01,1,I lose my streak after every update,Streak',
    '2026-10-02,1,,Reset after the update',
    '2026-10-03,2,It is gone again,Gone',
    '2026-10-04,5,Love it,Love it',
    '2026-10-05,1,Deleted my points,Points',
  )

  it('has both as the message, and the rating as an attribute', async () => {
    const { items } = await readAll(reviews)
    expect(items.map(({ text, attributes }) => [text, attributes])).toEqual([
      ['Streak\n\nI lose my streak after every update', { rating: '1' }],
      ['Reset after the update', { rating: '1' }],
      ['Gone\n\nIt is gone again', { rating: '2' }],
      ['Love it', { rating: '5' }],
      ['Points\n\nDeleted my points', { rating: '1' }],
    ])
  })

  it.each([
    ['Reviewer Name,Review Title,Review Message,Review Score', 'Review Title', 'Review Message', 'Review Score'],
    ['author,Betreff,Nachricht,Bewertung', 'Betreff', 'Nachricht', 'Bewertung'],
    ['email,Subject,Description,CSAT', 'Subject', 'Description', 'CSAT'],
  ])('is recognised: %s', async (header, title, text, rating) => {
    const lines = [1, 2, 3, 4, 5].map(
      (at) => `p${at}@example.com,Zip ${at} broke,The zip broke after ${at} weeks,${at}`,
    )
    const { mapping } = await preview(Buffer.from(rows(header, ...lines)), options('a.csv'))
    expect(mapping).toMatchObject({ title, text, rating })
  })

  it.each([
    ['content.title', 'content.body', { content: { title: 'Door', body: 'It opens inwards only' } }],
    ['_source.subject', '_source.text', { _source: { subject: 'Door', text: 'It opens inwards only' } }],
    ['subject', 'bodyPreview', { subject: 'Door', bodyPreview: 'It opens inwards only' }],
  ])('is recognised in JSON: %s, %s', async (title, text, one) => {
    const file = JSON.stringify({ value: [one, one] })
    expect((await preview(Buffer.from(file), options('a.json'))).mapping).toMatchObject({ title, text })
    expect((await readAll(file, 'a.json')).texts[0]).toBe('Door\n\nIt opens inwards only')
  })

  it.each([
    ['Zusammenfassung;Vorgangsschlüssel;Autor;Beschreibung;Kommentar', 'Vorgangsschlüssel'],
    ['Résumé;Key;Rapporteur;Description;Commentaire', 'Key'],
    ['Resumen;Key;Informador;Descripción;Comentario', 'Key'],
    ['Resumo;Key;Relator;Descrição;Comentário', 'Key'],
  ])('of a tracker in another language has no comments of the team: %s', async (header, id) => {
    const { items } = await readAll(
      rows(
        header,
        'Log-in;APP-1;ann;It fails with an error;We will look into it and come back to you soon',
        'Export;APP-2;bea;;It is planned for the next release of the app',
      ),
    )
    expect(header).toContain(id)
    expect(items).toMatchObject([
      { externalId: 'APP-1', author: 'ann', text: 'Log-in\n\nIt fails with an error' },
      { externalId: 'APP-2', author: 'bea', text: 'Export' },
    ])
  })

  it.each([
    ['what people are called', ['Mr', 'Ms', 'Ms', 'Mr', 'Dr', 'Ms', 'Mr']],
    [
      'what they bought',
      ['Blue jacket', 'Blue jacket', 'Blue jacket', 'Red scarf', 'Red scarf', 'Red scarf', 'Red scarf'],
    ],
    ['numbers', ['1', '2', '3', '4', '5', '6', '7']],
    ['paragraphs', Array.from({ length: 7 }, (_, at) => `${'a long summary of it '.repeat(6)}${at}`)],
  ])('is no file whose titles are %s', async (_, titles) => {
    const lines = titles.map((title, at) => `${title},The zip broke after ${at} weeks`)
    const { mapping } = await preview(Buffer.from(rows('title,text', ...lines)), options('a.csv'))
    expect(mapping.title).toBeUndefined()
  })

  it('has the ids that its rows had before, as former ones', async () => {
    const body = { text: 'review', date: 'date' }
    const before = (await readAll(reviews, 'a.csv', { mapping: body })).items.map(({ externalId }) => externalId)
    const { items } = await readAll(reviews)
    const former = items.flatMap(({ formerId }) => formerId ?? [])
    expect(former).toEqual(before)
    expect(new Set(items.map(({ externalId }) => externalId)).size).toBe(5)
  })

  it('has no former ids where its rows have their own', async () => {
    const { items } = await readAll('id,title,text\n7,Slow,The sync takes minutes\n8,Dark,A dark theme please')
    expect(items.map(({ externalId, formerId }) => [externalId, formerId])).toEqual([
      ['7', undefined],
      ['8', undefined],
    ])
  })
})
