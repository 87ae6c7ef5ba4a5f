import { MAX_ATTRIBUTE_LENGTH } from '@groundswell/contract/insights/attributes.ts'

/** An attribute of a message, as it is written and as it is compared. */
export type Pair = { name: string; nameKey: string; value: string; valueKey: string }

/** An e-mail address, a link, or a moment: hardly two messages have the same one. */
const UNREPEATED = /\S@\S+\.\S|^\w+:\/\/|^www\.|^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/i

/** A name or a value as it is shown: in one line. */
function lineOf(text: string): string {
  return text.replaceAll('\0', '').normalize('NFC').trim().replace(/\s+/g, ' ')
}

/** What a name or a value is compared by: without case and surrounding space. */
export function keyOf(text: string): string {
  return lineOf(text).toLowerCase()
}

/** The attributes of a message that may be worth filtering by, each name once: short, and no e-mail address, link or moment. */
export function worthyPairs(attributes: Readonly<Record<string, string>>): Pair[] {
  const pairs = new Map<string, Pair>()
  for (const [writtenName, writtenValue] of Object.entries(attributes)) {
    if (!isShort(writtenName) || !isShort(writtenValue)) continue
    const [name, value] = [lineOf(writtenName), lineOf(writtenValue)]
    if (name === '' || value === '' || UNREPEATED.test(value)) continue
    const nameKey = name.toLowerCase()
    if (!pairs.has(nameKey)) pairs.set(nameKey, { name, nameKey, value, valueKey: value.toLowerCase() })
  }
  return [...pairs.values()]
}

function isShort(text: string): boolean {
  return text.length <= 2 * MAX_ATTRIBUTE_LENGTH && text.trim().length <= MAX_ATTRIBUTE_LENGTH
}

type Counted = { value: string; messages: number }

/** Up to this many values one repeated value is enough; of more, messages must have each twice on average. */
const FEW = 20
/** Ratings need no repetition: a scale to choose from is worth filtering by from the first message. */
const RATING = /^(?:10|\d)(?:[.,]\d)?$/

/** Whether a name with these values is worth filtering by: not one that is different in each message, as an id is. */
export function isOffered(values: readonly Counted[]): boolean {
  if (values.length === 0) return false
  if (values.length <= FEW && values.every(({ value }) => RATING.test(value))) return true
  const messages = values.reduce((sum, one) => sum + one.messages, 0)
  return values.length <= FEW ? messages > values.length : messages >= 2 * values.length
}

const NUMBER = /^[-+]?\d+(?:[.,](\d+))?$/
const numberOf = (text: string) => Number(text.replace(',', '.'))
const natural = new Intl.Collator('en', { numeric: true })

/**
 * In the order in which people choose them: numbers by size, versions and other values that begin with a number by that, all else by messages, most
 * first. Numbers with one and with two decimals are versions: 2.9 is before 2.10.
 */
export function inOrder<T extends Counted>(values: readonly T[]): T[] {
  const compare = compareBy(values.map(({ value }) => value))
  return values.toSorted(
    (a, b) => (compare?.(a.value, b.value) ?? b.messages - a.messages) || natural.compare(a.value, b.value),
  )
}

/** How values that have an order of their own are compared; null: they have none. */
export function compareBy(values: readonly string[]): ((a: string, b: string) => number) | null {
  if (values.some((value) => !/^[-+]?\d/.test(value))) return null
  const decimals = new Set(values.map((value) => NUMBER.exec(value)?.[1]?.length ?? 0).filter(Boolean))
  const isNumeric = decimals.size <= 1 && values.every((value) => NUMBER.test(value))
  return isNumeric ? (a, b) => numberOf(a) - numberOf(b) : natural.compare
}
