import { expect, test } from 'vitest'
import { askersText, toldText } from './asker-words.ts'

test('how many people there are, and how many were told', () => {
  expect(toldText({ total: 1, told: 0 })).toBe('1 person')
  expect(toldText({ total: 4, told: 1 })).toBe('4 people, 1 told')
  expect(toldText({ total: 4, told: 4 })).toBe('4 people, all told')
})

test('people as lines: name, place or source, day, link', () => {
  const one = { person: '', mentions: 1, date: '2026-03-03T10:00:00Z', text: 'It fails', told: null, source: 'slack' }
  expect(
    askersText([
      { ...one, name: 'Ann', place: '#support', link: 'https://chat.example/1' },
      { ...one, name: null, place: null, link: null },
    ]),
  ).toBe('Ann · #support · 2026-03-03 · https://chat.example/1\nUnknown author · slack · 2026-03-03')
})
