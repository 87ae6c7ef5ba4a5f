import type { Copies } from '@groundswell/contract/insights/insight-detail.ts'
import { expect, test } from 'vitest'
import { foldCopies } from './copies.ts'

const mention = (id: string) => ({ id, text: 'said', link: null, date: '2026-03-04T10:00:00Z' })
const spam: Copies = { count: 3, people: 1, mentions: ['5:0', '3:0', '1:0'] }
const mentions = ['6:0', '5:0', '4:0', '3:0', '1:0'].map(mention)

test('copies are folded into the newest of them, and opened', () => {
  const folded = foldCopies(mentions, [spam], new Set())
  expect(folded.shown.map(({ id }) => id)).toEqual(['6:0', '5:0', '4:0'])
  expect(folded.after).toEqual(new Map([['5:0', { copied: spam, isOpen: false }]]))
  const open = foldCopies(mentions, [spam], new Set(['5:0']))
  expect(open.shown).toEqual(mentions)
  expect(open.after).toEqual(new Map([['5:0', { copied: spam, isOpen: true }]]))
})

test('where the newest was corrected away, the next one stands for them', () => {
  const left = mentions.filter(({ id }) => id !== '5:0')
  const folded = foldCopies(left, [spam], new Set())
  expect(folded.shown.map(({ id }) => id)).toEqual(['6:0', '4:0', '3:0'])
  expect([...folded.after.keys()]).toEqual(['3:0'])
})
