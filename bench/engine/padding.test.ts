import { expect, test } from 'vitest'
import { withPadding } from './padding.ts'
import { stream } from './stream.ts'

const SAID = [
  ['export', ['The CSV export stops half way', 'CSV export stops in the middle', 'Our CSV export stops at row 900']],
  ['login', ['I cannot log in with my password', 'My password is refused when I log in', 'Log in refuses my password']],
  ['tax', ['The tax rate on the invoice is wrong', 'Wrong tax rate on my invoice', 'Invoice shows a wrong tax rate']],
] as const

const rows = Array.from({ length: 360 }, (_, i) => {
  const [label, texts] = SAID[i % 3] as (typeof SAID)[number]
  return { label, text: `${texts[Math.floor(i / 3) % 3]} for case ${i}` }
})

test('every message is present, most with lines around it', () => {
  const out = withPadding(rows)
  expect(out.map(({ label }) => label)).toEqual(rows.map(({ label }) => label))
  out.forEach(({ text }, i) => expect(text).toContain(rows[i]?.text))
  expect(out.filter(({ text }, i) => text !== `${rows[i]?.text}.`).length).toBeGreaterThan(300)
  expect(withPadding(rows)).toEqual(out)
})

test('the lines cost little', () => {
  const plain = stream(rows, 1).f1
  expect(stream(withPadding(rows), 1).f1).toBeGreaterThan(plain - 15)
})
