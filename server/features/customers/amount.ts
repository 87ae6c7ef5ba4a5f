/** The largest amount that is accepted. */
const MAX_AMOUNT = 1e15
const NUMBER = /^(\d[\d.,\s'’_]*)\s*(k|m|mn|mio|bn|b)?$/iu
const FACTORS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, mn: 1e6, mio: 1e6, b: 1e9, bn: 1e9 }

/**
 * An amount as people write it: `$12,500.00`, `12.500,00 €`, `340k`, `USD 1 200`. Without its currency. Null where it is none, is negative, or can be
 * read in two ways.
 */
export function parseAmount(text: string): number | null {
  const plain = text
    .normalize('NFKC')
    .trim()
    .replace(/^(?:[A-Z]{3}\b|\p{Sc}|[A-Z]{1,2}\p{Sc})\s*/u, '')
    .replace(/\s*(?:\b[A-Z]{3}|\p{Sc})$/u, '')
  const [, digits, unit] = NUMBER.exec(plain) ?? []
  const value = digits === undefined ? null : numberOf(digits.replace(/[\s'’_]/gu, ''))
  if (value === null) return null
  const amount = value * (FACTORS[unit?.toLowerCase() ?? ''] ?? 1)
  return amount <= MAX_AMOUNT ? amount : null
}

/** The last separator is that of the decimals, unless it repeats or three digits follow it. */
function numberOf(digits: string): number | null {
  const marks = digits.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  if (last === undefined) return finite(digits)
  const [whole, fraction] = splitAtLast(digits, last)
  const others = marks.slice(0, -1)
  const isGrouped = (text: string, mark: string) => new RegExp(`^\\d{1,3}(?:\\${mark}\\d{3})*$`).test(text)
  const groupsOnly = others.every((mark) => mark === last) && fraction.length === 3 && isGrouped(digits, last)
  if (groupsOnly) return finite(digits.replaceAll(last, ''))
  if (others.includes(last)) return null
  const group = others[0]
  if (group !== undefined && (others.some((mark) => mark !== group) || !isGrouped(whole, group))) return null
  return finite(`${group === undefined ? whole : whole.replaceAll(group, '')}.${fraction}`)
}

function splitAtLast(text: string, mark: string): [string, string] {
  const at = text.lastIndexOf(mark)
  return [text.slice(0, at), text.slice(at + 1)]
}

function finite(text: string): number | null {
  const value = Number(text)
  return text !== '' && Number.isFinite(value) ? value : null
}
