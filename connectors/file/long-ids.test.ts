import { describe, expect, it } from 'vitest'
import { preview } from './preview.ts'
import { options, readAll } from './testing.ts'

/** Both ids of a pair are the same number in JavaScript. */
const ids = ['169881503650676736', '169881503650676738', '-9007199254740993', '-9007199254740992', '12']
const row = (id: string, at: number) =>
  `{"id": ${id}, "text": "Message ${at} of the export", "user": {"id": ${id}}, "thread_id": ${id}}`

describe('numbers beyond 2^53', () => {
  it.each([
    ['a.ndjson', ids.map(row).join('\n')],
    ['a.jsonl', ids.map(row).join('\n')],
    ['a.json', `[${ids.map(row).join(',')}]`],
    ['a.json', `[\n  ${ids.map(row).join(',\n  ')}\n]`],
  ])('are ids, authors and threads as they are written: %s', async (name, text) => {
    const mapping = { text: 'text', id: 'id', author: 'user.id', thread: 'thread_id' }
    const { items } = await readAll(text, name, { mapping })
    expect(items.map(({ externalId, author, thread }) => [externalId, author, thread])).toEqual(
      ids.map((id) => [id, id, id]),
    )
  })

  it('are shown as they are written', async () => {
    const { rows, columns, mapping } = await preview(Buffer.from(ids.map(row).join('\n')), options('a.ndjson'))
    expect(mapping.id).toBe('id')
    expect(rows.map((cells) => [cells[columns.indexOf('id')], cells[columns.indexOf('user.id')]])).toEqual(
      ids.map((id) => [id, id]),
    )
  })
})
