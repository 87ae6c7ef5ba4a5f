import { describe, expect, test } from 'vitest'
import { findPeople, mentionedIn, piecesOf, queryAt } from './comment-text.ts'

const ann = { account_id: 'a', name: 'Ann' }
const lee = { account_id: 'l', name: 'Ann Lee' }
const bo = { account_id: 'b', name: 'Bo' }
const otherBo = { account_id: 'o', name: 'Bo' }
const people = [ann, lee, bo]

describe('the pieces of a comment', () => {
  test('are mentions, links and the words between', () => {
    expect(piecesOf('@Ann Lee: see https://a.example/b?c=d, and @Bo.', people)).toEqual([
      { kind: 'mention', text: '@Ann Lee' },
      { kind: 'words', text: ': see ' },
      { kind: 'link', text: 'https://a.example/b?c=d' },
      { kind: 'words', text: ', and ' },
      { kind: 'mention', text: '@Bo' },
      { kind: 'words', text: '.' },
    ])
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', 'ann@Bo', '@Bob', '@Nobody', '<a href="//x">'])(
    'of %s are words only',
    (text) => {
      expect(piecesOf(text, people)).toEqual([{ kind: 'words', text }])
    },
  )

  test('leave no mention inside of an address', () => {
    expect(piecesOf('https://a.example/@Bo', people)).toEqual([{ kind: 'link', text: 'https://a.example/@Bo' }])
  })
})

test('of people with one name those are mentioned who were chosen, or else all', () => {
  expect(mentionedIn('@Ann Lee and @Ann', people)).toEqual(['l', 'a'])
  expect(mentionedIn('@Bo', [bo, otherBo], [otherBo])).toEqual(['o'])
  expect(mentionedIn('@Bo', [bo, otherBo])).toEqual(['b', 'o'])
  expect(mentionedIn('Bo', [bo])).toEqual([])
})

test('a mention begins with an @ that begins a word', () => {
  expect(queryAt('Hi @An', 6)).toEqual({ from: 3, words: 'An' })
  expect(queryAt('@', 1)).toEqual({ from: 0, words: '' })
  expect(queryAt('@Ann Le', 7)).toEqual({ from: 0, words: 'Ann Le' })
  for (const text of ['ann@bo', '@ x', '@a  b', '@a\nb', 'x']) expect(queryAt(text, text.length)).toBeNull()
  expect(findPeople(people, 'le')).toEqual([lee])
  expect(findPeople(people, '')).toEqual(people)
})
