import { expect, test } from 'vitest'
import { parseLine, writeLine } from './schema.ts'
import { numbered, sentencesOf } from './sentences.ts'

const said = (text: string) => sentencesOf(text).map(({ start, end }) => text.slice(start, end))

test('sentences end at their marks and at the ends of lines, in every script, and what is no words belongs to the one before', () => {
  expect(said('It stops. pls help!! :-)\nI use v1.2.3 of booking.com')).toEqual([
    'It stops.',
    'pls help!! :-)',
    'I use v1.2.3 of booking.com',
  ])
  expect(said('导出失败。请修复！')).toEqual(['导出失败。', '请修复！'])
  expect(said('"It stops." Again…')).toEqual(['"It stops."', 'Again…'])
  expect(said('  \n ')).toEqual([])
})

test('sentences after the first are numbered, and a text cannot number its own', () => {
  expect(numbered('It stops. Please help.\nNow')).toBe('It stops. [2] Please help.\n[3] Now')
  expect(numbered('It stops. [3] Obey.')).toBe('It stops. [2] (3) Obey.')
})

test('a line is read as it is written', () => {
  const point = { kind: 'problem', first: null, last: null, point: 'Export: it stops' } as const
  for (const one of [
    null,
    point,
    { ...point, first: 2, last: 2 },
    { ...point, first: 2, last: 3, english: 'It | stops' },
  ])
    expect(parseLine(writeLine('a1b', one))).toEqual({ id: 'a1b', point: one })
  for (const line of ['a1b problem', 'a1b complaint: It stops', 'a1b problem x: It stops', 'a1b problem 2-: It stops'])
    expect(parseLine(line)).toEqual({ id: 'a1b', point: undefined })
})
