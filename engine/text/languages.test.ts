import { LANGUAGES } from '@groundswell/fixtures/engine/languages.ts'
import { describe, expect, test } from 'vitest'
import { group } from '../group.ts'
import type { Item } from '../model.ts'

const said = (texts: readonly string[], from: string): Item[] =>
  texts.map((text, n) => ({ id: `${from}${n}`, text, at: n, author: `${from} ${n}` }))

describe.each(Object.entries(LANGUAGES))('%s', (_, { subjects, chat }) => {
  const items = [...subjects.flatMap((texts, n) => said(texts, `s${n}-`)), ...said(chat, 'chat')]
  const { insights } = group(items)
  const membersOf = (n: number) => insights[n]?.mentions.map(({ itemId }) => itemId.slice(0, 2)) ?? []

  test('each subject is one insight that holds at least five of its six messages and none of another', () => {
    const found = insights.map((_insight, n) => [...new Set(membersOf(n))].join())
    expect(found.toSorted()).toEqual(['s0', 's1', 's2'])
    for (const n of insights.keys()) expect(membersOf(n).length).toBeGreaterThanOrEqual(5)
  })

  test('names are sentences of its own, and small talk is in no insight', () => {
    const texts = subjects.flat().map((text) => text.toLowerCase())
    for (const { issue_name: name } of insights) {
      expect(name.split(' ').length).toBeGreaterThan(2)
      for (const part of name.split(' / ')) {
        expect(texts.some((text) => text.replaceAll('’', "'").includes(part.slice(1).toLowerCase()))).toBe(true)
      }
    }
    expect(JSON.stringify(insights)).not.toContain('chat')
  })
})

test('statements in five languages form one issue per subject', () => {
  const items = Object.entries(LANGUAGES).flatMap(([language, { subjects, chat }]) => [
    ...subjects.flatMap((texts, n) => said(texts, `s${n}-${language}-`)),
    ...said(chat, `chat-${language}-`),
  ])
  const { insights } = group(items)
  const largest = new Map<string, number>()
  for (const { mentions } of insights) {
    const subjects = new Set(mentions.map(({ itemId }) => itemId.split('-')[0] as string))
    expect(subjects.size).toBe(1)
    const [subject = ''] = subjects
    const spoken = new Set(mentions.map(({ itemId }) => itemId.split('-')[1])).size
    largest.set(subject, Math.max(largest.get(subject) ?? 0, spoken))
  }
  expect([...largest.keys()].toSorted()).toEqual(['s0', 's1', 's2'])
  for (const spoken of largest.values()) expect(spoken).toBeGreaterThanOrEqual(4)
})

test('an insight in several languages is named in its most frequent one', () => {
  const items = Object.entries(LANGUAGES).flatMap(([language, { subjects }]) =>
    subjects.flatMap((texts, n) => said(texts, `s${n}-${language}-`)),
  )
  for (const { issue_name: name, mentions } of group(items).insights) {
    const counts = new Map<string, number>()
    for (const { itemId } of mentions) {
      const language = itemId.split('-')[1] as string
      counts.set(language, (counts.get(language) ?? 0) + 1)
    }
    const most = Math.max(...counts.values())
    const named = items.filter(({ text }) => text.toLowerCase().includes(name.toLowerCase()))
    expect(named.some(({ id }) => counts.get(id.split('-')[1] as string) === most)).toBe(true)
  }
})

/** Scripts without spaces, and others that have no stemmer here. */
const SCRIPTS = {
  Japanese: ['CSVの書き出しが千行で止まります', 'CSV書き出しが千行で止まる', '千行でCSVの書き出しが止まってしまう'],
  Chinese: ['导出CSV在一千行后停止', 'CSV导出到一千行就停止了', '为什么导出CSV一千行后会停止'],
  Thai: ['ส่งออกไฟล์หยุดหลังหนึ่งพันแถว', 'การส่งออกไฟล์หยุดที่หนึ่งพันแถว', 'ทำไมส่งออกไฟล์หยุดหลังหนึ่งพันแถว'],
  Russian: [
    'Экспорт останавливается после тысячи строк',
    'Экспорт остановился после тысячи строк',
    'Почему экспорт остановлен после тысячи строк?',
  ],
  Greek: [
    'Η εξαγωγή σταματά μετά από χίλιες γραμμές',
    'Εξαγωγή σταμάτησε μετά από χίλιες γραμμές',
    'Γιατί σταματά η εξαγωγή στις χίλιες γραμμές;',
  ],
  Arabic: ['يتوقف التصدير بعد ألف صف', 'توقف التصدير بعد ألف صف عندنا', 'لماذا يتوقف التصدير بعد ألف صف؟'],
}
const OTHERS = {
  Japanese: 'カレンダーに祝日が表示されません',
  Chinese: '日历不显示公共假期',
  Thai: 'ปฏิทินไม่แสดงวันหยุด',
  Russian: 'Календарь не показывает праздники',
  Greek: 'Το ημερολόγιο δεν δείχνει τις αργίες',
  Arabic: 'التقويم لا يعرض العطل الرسمية',
} satisfies Record<keyof typeof SCRIPTS, string>

test.each(Object.entries(SCRIPTS))(
  '%s: what says the same is one insight, another subject is none of it',
  (script, texts) => {
    const other = OTHERS[script as keyof typeof SCRIPTS]
    const { insights } = group([...said(texts, 's'), ...said([other], 'o')])
    expect(insights.map(({ mentions }) => mentions.map(({ itemId }) => itemId))).toEqual([['s0', 's1', 's2']])
  },
)
