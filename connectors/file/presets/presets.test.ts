import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { preview } from '../preview.ts'
import { options, readAll } from '../testing.ts'
import { presetOf, presets } from './presets.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url))
const look = (name: string) => preview(fixture(name), options(name))

const mappings: Record<string, { preset: string; header: boolean; mapping: Record<string, string> }> = {
  'google-play.csv': {
    preset: 'Google Play',
    header: true,
    mapping: {
      title: 'Review Title',
      text: 'Review Text',
      id: 'Review Link',
      date: 'Review Submit Date and Time',
      link: 'Review Link',
      rating: 'Star Rating',
    },
  },
  'app-store-connect.csv': {
    preset: 'App Store Connect',
    header: true,
    mapping: {
      title: 'title',
      text: 'body',
      id: 'id',
      author: 'reviewerNickname',
      date: 'createdDate',
      rating: 'rating',
    },
  },
  'app-store-connect.jsonl': {
    preset: 'App Store Connect',
    header: false,
    mapping: {
      title: 'attributes.title',
      text: 'attributes.body',
      id: 'id',
      author: 'attributes.reviewerNickname',
      date: 'attributes.createdDate',
      rating: 'attributes.rating',
    },
  },
  'github-issues.csv': {
    preset: 'GitHub',
    header: true,
    mapping: {
      title: 'title',
      text: 'body',
      id: 'html_url',
      author: 'user.login',
      date: 'created_at',
      link: 'html_url',
    },
  },
  'github-issues.json': {
    preset: 'GitHub',
    header: false,
    mapping: { title: 'title', text: 'body', id: 'url', author: 'author.login', date: 'createdAt', link: 'url' },
  },
  'zendesk-tickets.csv': {
    preset: 'Zendesk',
    header: true,
    mapping: { text: 'Subject', id: 'Id', author: 'Requester', date: 'Created at' },
  },
  'intercom-conversations.csv': {
    preset: 'Intercom',
    header: true,
    mapping: {
      text: 'First message',
      id: 'Conversation ID',
      author: 'User name',
      date: 'Conversation started at (America/New_York)',
    },
  },
  'typeform-responses.csv': {
    preset: 'Typeform',
    header: true,
    mapping: {
      text: 'What is the one thing we should change, and why?',
      id: '#',
      author: 'Where can we reach you?',
      date: 'Submit Date (UTC)',
    },
  },
}

describe('an export', () => {
  it.each(Object.entries(mappings))('%s is recognised and its columns are found', async (name, expected) => {
    const { preset, header, mapping } = await look(name)
    expect({ preset, header, mapping }).toEqual(expected)
  })

  it.each(Object.keys(mappings))('%s is read whole, each row once, with its own date', async (name) => {
    const { items, problems } = await readAll(fixture(name), name)
    expect(problems.map(({ reason }) => reason)).toEqual(name === 'google-play.csv' ? ['The text is empty'] : [])
    expect(items.length).toBeGreaterThanOrEqual(5)
    expect(new Set(items.map((item) => item.externalId)).size).toBe(items.length)
    expect(items.map((item) => item.at.toISOString().slice(0, 7))).toEqual(items.map(() => '2026-10'))
  })

  it.each(Object.keys(mappings).filter((name) => name.endsWith('.csv')))(
    '%s keeps its header without the columns that make it known, and under names that nobody knows',
    async (name) => {
      const bytes = fixture(name)
      const text = new TextDecoder(name === 'google-play.csv' ? 'utf-16le' : 'utf-8').decode(bytes)
      const odd = text.replace(/^\uFEFF?("?)[^",\n]+/, '$1?! 100 % odd: §7 (never seen) – nobody would call it so')
      const seen = await preview(Buffer.from(odd), options('export.csv'))
      expect(seen.header).toBe(true)
      expect(seen.columns).toHaveLength((await look(name)).columns.length)
      expect(seen.mapping.date).toBeDefined()
    },
  )

  it('of Google Play is the text of each review as it was written, with its title and link', async () => {
    const { items } = await readAll(fixture('google-play.csv'), 'reviews_com.example_202610.csv')
    expect(items[1]?.text).toBe('Absturz\n\nDie App stürzt beim Scannen ab, jedes Mal. Früher ging es.')
    expect(items[2]?.text).toBe('Does what it says & saves me an hour a week &lt;3')
    expect(items[4]?.text).toBe(
      'Sync\n\nMileage entries vanish after a sync, "again and again".\nSupport never answered.',
    )
    expect(items[5]?.text).toBe('レシートの読み取りが遅いです。')
    expect(items[0]?.link).toMatch(/reviewId=gp:AOqpTO0x7Q/)
  })

  it('of GitHub has the title as text where an issue has no body', async () => {
    for (const name of ['github-issues.csv', 'github-issues.json']) {
      const { items } = await readAll(fixture(name), name)
      expect(items[1]?.text).toBe('Dark theme')
      expect(items[2]?.text).toMatch(/^PDF export cuts off the last column\n\nWith more than 6 columns/)
      expect(items[2]?.externalId).toBe('https://github.com/example/tallybrook/issues/1190')
    }
  })

  it('of messages of Intercom has a row for each message, in the thread of its conversation', async () => {
    const csv = [
      'message_id,message_body,message_type,message_created_at,message_author_name,conversation_id,app_id',
      '1,The scan crashes,conversation_message,2026-10-02 08:01:12,Mira,77,a',
      '2,Here too,comment,2026-10-02 08:05:00,Otto,77,a',
    ].join('\n')
    const { items } = await readAll(csv)
    expect(items.map(({ externalId, author, thread }) => [externalId, author, thread])).toEqual([
      ['1', 'Mira', '77'],
      ['2', 'Otto', '77'],
    ])
  })

  it('of Intercom without first messages has the customers’ remarks', async () => {
    const csv = [
      'Conversation ID,Conversation started at (UTC),Title,Conversation rating,Conversation rating remark',
      '1,2026-10-02 08:01:12,,1,nobody could tell me why the scan crashes',
      '2,2026-10-03 08:01:12,Hi,2,the answer came after three days only',
    ].join('\n')
    expect((await preview(Buffer.from(csv), options('a.csv'))).mapping.text).toBe('Conversation rating remark')
  })

  it('of Zendesk as JSON has descriptions below their subjects', async () => {
    const line = {
      id: 7,
      subject: 'Scan',
      description: 'It crashes',
      requester_id: 9,
      via: { channel: 'web' },
      created_at: '2026-10-02T08:00:00Z',
    }
    const { items } = await readAll(JSON.stringify(line), 'tickets.json')
    expect(items[0]).toMatchObject({ externalId: '7', text: 'Scan\n\nIt crashes', author: '9' })
  })

  it('of Intercom’s API has the first message of each conversation', async () => {
    const line = {
      id: '9',
      created_at: 1790925249,
      source: { body: 'It crashes', subject: '' },
      conversation_parts: { type: 'list' },
    }
    const { items } = await readAll(JSON.stringify(line), 'conversations.jsonl')
    expect(items[0]).toMatchObject({ externalId: '9', text: 'It crashes', at: new Date(1790925249000) })
  })
})

describe('a preset', () => {
  it('is not detected in files that have only some of its columns', () => {
    for (const columns of [
      ['id', 'text', 'author', 'date'],
      ['title', 'body', 'date'],
      ['Subject', 'Body', 'Requester'],
      ['Star Rating', 'Review Text'],
      ['Submit Date (UTC)', 'text'],
      ['conversation_id', 'text'],
      [],
    ]) {
      expect(presetOf(columns)).toBeNull()
    }
  })

  it('names only columns that can be found', () => {
    for (const { label, has, fits, columns, place = [], leftOut = [], html = [] } of presets) {
      expect(label).not.toBe('')
      expect(has.length + (fits ? 1 : 0)).toBeGreaterThanOrEqual(2)
      const others = [...place, ...html, ...leftOut.flatMap((rule) => rule.columns)]
      for (const name of [...has.flat(), ...Object.values(columns).flat(), ...others]) {
        expect(name).toMatch(/^(#|\p{Ll}+(_\p{Ll}+)*\*?)$/u)
      }
    }
  })
})
