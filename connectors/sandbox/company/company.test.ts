import { describe, expect, it } from 'vitest'
import { loadCompany, loadIssues, loadTrickle } from './company.ts'

const DAY = 24 * 60
const WEEK = 7 * DAY

const company = loadCompany()
const trickle = loadTrickle()
const issues = loadIssues()
const everything = [...company, ...trickle]

function countBy<T>(items: readonly T[], key: (item: T) => string | null): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) {
    const value = key(item)
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.filter(test).length / items.length
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
}

const sizes = countBy(company, (message) => message.label)

describe('the ten weeks of feedback', () => {
  it('holds at least 600 messages, about 150 of them tickets, in five channels', () => {
    expect(company.length).toBeGreaterThanOrEqual(600)
    expect(company.filter((message) => message.kind === 'ticket').length).toBeGreaterThanOrEqual(140)
    expect(new Set(company.map((message) => message.channel).filter((name) => name !== null)).size).toBe(5)
  })

  it('is in order of time and reaches into every one of ten weeks and no further', () => {
    const times = company.map((message) => message.at)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(Math.max(...times)).toBeLessThan(10 * WEEK)
    const weeks = countBy(company, (message) => String(Math.floor(message.at / WEEK)))
    expect([...weeks.keys()].toSorted()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(Math.min(...weeks.values())).toBeGreaterThanOrEqual(30)
  })

  it('is mostly written in working hours on working days', () => {
    expect(share(company, (message) => Math.floor(message.at / DAY) % 7 < 5)).toBeGreaterThan(0.9)
    expect(share(company, (message) => message.at % DAY >= 8 * 60 && message.at % DAY < 20 * 60)).toBeGreaterThan(0.95)
  })

  it('has at least a fifth and less than a third chit-chat', () => {
    const chitChat = share(company, (message) => message.label === null)
    expect(chitChat).toBeGreaterThanOrEqual(0.2)
    expect(chitChat).toBeLessThan(1 / 3)
  })

  it('is in two languages, both with issues, and the German ones share labels with the English ones', () => {
    const german = company.filter((message) => message.lang === 'de')
    expect(german.length / company.length).toBeGreaterThanOrEqual(0.1)
    expect(german.length / company.length).toBeLessThan(0.2)
    const english = new Set(company.filter((message) => message.lang === 'en').map((message) => message.label))
    const shared = new Set(
      german.map((message) => message.label).filter((label) => label !== null && english.has(label)),
    )
    expect(shared.size).toBeGreaterThanOrEqual(15)
  })

  it('has about thirty recurring issues of very uneven size and some single ones', () => {
    const recurring = [...sizes.values()].filter((size) => size >= 2).toSorted((a, b) => b - a)
    expect(recurring.length).toBeGreaterThanOrEqual(30)
    expect(recurring[0]).toBeGreaterThanOrEqual(60)
    expect(recurring.filter((size) => size >= 30).length).toBeGreaterThanOrEqual(5)
    expect(recurring.filter((size) => size <= 6).length).toBeGreaterThanOrEqual(6)
    expect([...sizes.values()].filter((size) => size === 1).length).toBeGreaterThanOrEqual(8)
  })

  it('writes labels in kebab-case, and `also` names other labels that exist', () => {
    for (const label of sizes.keys()) expect(label).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/)
    const withMore = company.filter((message) => message.also.length > 0)
    expect(withMore.length).toBeGreaterThanOrEqual(8)
    for (const message of withMore) {
      expect(message.also).not.toContain(message.label)
      for (const label of message.also) expect(sizes.has(label)).toBe(true)
    }
  })

  it('has one spike: at least 40 messages of one issue within three days of week 8, and no other like it', () => {
    const densestThreeDays = (label: string): number => {
      const times = company.filter((message) => message.label === label).map((message) => message.at)
      return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 3 * DAY).length))
    }
    const spiking = issues.filter((issue) => issue.spikes).map((issue) => issue.label)
    expect(spiking).toHaveLength(1)
    expect(densestThreeDays(spiking[0] ?? '')).toBeGreaterThanOrEqual(40)

    const inWeekEight = company
      .filter((message) => message.label === spiking[0] && Math.floor(message.at / WEEK) === 7)
      .map((message) => message.at)
    expect(inWeekEight.length).toBeGreaterThanOrEqual(40)
    expect(Math.max(...inWeekEight) - Math.min(...inWeekEight)).toBeLessThan(3 * DAY)

    const alsoSpiking = [...sizes].filter(
      ([label, size]) => label !== spiking[0] && densestThreeDays(label) >= Math.max(6, size / 2),
    )
    expect(alsoSpiking).toEqual([])
  })

  it('is written by many people, some of them more than once', () => {
    const authors = countBy(company, (message) => message.author)
    expect(authors.size).toBeGreaterThanOrEqual(110)
    expect(Math.max(...authors.values())).toBeGreaterThanOrEqual(8)
    for (const author of authors.keys()) {
      const companies = new Set(everything.filter((message) => message.author === author).map((m) => m.company))
      expect(companies.size).toBe(1)
    }
  })
})

describe('the messages themselves', () => {
  it('have unique ids over both files', () => {
    expect(new Set(everything.map((message) => message.id)).size).toBe(everything.length)
  })

  it('are never said twice, not even nearly', () => {
    const texts = countBy(everything, (message) => message.text.trim().toLowerCase())
    expect([...texts].filter(([, count]) => count > 1)).toEqual([])
    const long = everything.map((message) => wordsOf(message.text)).filter((words) => words.size >= 8)
    let nearCopies = 0
    for (const [index, words] of long.entries()) {
      for (const other of long.slice(index + 1)) {
        const common = [...words].filter((word) => other.has(word)).length
        if (common / (words.size + other.size - common) > 0.6) nearCopies += 1
      }
    }
    expect(nearCopies).toBe(0)
  })

  it('run from a word to a long mail', () => {
    const lengths = everything.map((message) => message.text.split(/\s+/).length)
    expect(Math.min(...lengths)).toBe(1)
    expect(Math.max(...lengths)).toBeGreaterThanOrEqual(80)
    expect(Math.max(...lengths)).toBeLessThan(130)
  })

  it('carry emoji, code, shouting, quotes and addresses, and no left-over placeholder', () => {
    const some = (pattern: RegExp): number => company.filter((message) => pattern.test(message.text)).length
    expect(some(/\p{Extended_Pictographic}/u)).toBeGreaterThanOrEqual(40)
    expect(some(/`/)).toBeGreaterThanOrEqual(10)
    expect(some(/\b[A-Z]{3,}(?:['’ ]+[A-Z]{2,}){2,}/)).toBeGreaterThanOrEqual(2)
    expect(some(/^> /m)).toBeGreaterThanOrEqual(4)
    expect(some(/https?:\/\//)).toBeGreaterThanOrEqual(3)
    expect(some(/\{(n|f|f2|c)\}|\\n/)).toBe(0)
  })
})

describe('threads', () => {
  it('lead to an earlier root in the same channel', () => {
    const byId = new Map(everything.map((message, index) => [message.id, { message, index }]))
    const replies = everything.filter((message) => message.thread !== null)
    expect(replies.length).toBeGreaterThanOrEqual(150)
    for (const reply of replies) {
      const root = byId.get(reply.thread ?? '')
      expect(root).toBeDefined()
      expect(root?.message.thread).toBeNull()
      expect(root?.message.channel).toBe(reply.channel)
      expect(root?.index ?? Number.POSITIVE_INFINITY).toBeLessThan(byId.get(reply.id)?.index ?? 0)
    }
  })

  it('are for channels: a ticket has neither channel nor thread, and starts with a subject', () => {
    for (const message of everything) {
      expect(message.channel === null).toBe(message.kind === 'ticket')
      if (message.kind !== 'ticket') continue
      expect(message.thread).toBeNull()
      expect(message.text).toMatch(/^[^\n]{3,90}\n/)
    }
  })
})

describe('the issues', () => {
  it('describe exactly the labels said at least twice, each with its own title', () => {
    const recurring = [...sizes].filter(([, size]) => size >= 2).map(([label]) => label)
    expect(issues.map((issue) => issue.label).toSorted()).toEqual(recurring.toSorted())
    expect(new Set(issues.map((issue) => issue.title)).size).toBe(issues.length)
  })
})

describe('the trickle', () => {
  it('holds 60 messages: ten of chit-chat, six of one new issue, the rest of known ones', () => {
    expect(trickle).toHaveLength(60)
    expect(trickle.filter((message) => message.label === null)).toHaveLength(10)
    const fresh = trickle.filter((message) => message.label !== null && !sizes.has(message.label))
    expect(fresh).toHaveLength(6)
    expect(new Set(fresh.map((message) => message.label)).size).toBe(1)
  })
})
