import { expect, it } from 'vitest'
import { htmlTokens } from './html-tokens.ts'

/** The tokens as text: `<name a=1>`, `</name>`, and texts that follow each other joined. */
function tokens(html: string): string[] {
  const seen: string[] = []
  let text = ''
  const add = (token: string) => {
    if (text !== '') seen.push(text)
    text = ''
    seen.push(token)
  }
  htmlTokens(html, {
    open: (name, attributes) =>
      add(`<${[name, ...[...attributes].map(([key, value]) => `${key}=${value}`)].join(' ')}>`),
    close: (name) => add(`</${name}>`),
    text: (part) => {
      text += part
    },
    gap: () => undefined,
  })
  return text === '' ? seen : [...seen, text]
}

it.each([
  ['a<B>c</B >d', ['a', '<b>', 'c', '</b>', 'd']],
  ['<A HREF="x&amp;y" b=\'1\' c=2 d>', ['<a href=x&y b=1 c=2 d=>']],
  ['<a b=1 b=2 B=3>', ['<a b=1>']],
  ['<br/><img alt="a>b"/>', ['<br>', '<img alt=a>b>']],
  ['1 < 2 &lt; 3 &amp;lt; &nosuch; &', ['1 < 2 < 3 &lt; &nosuch; &']],
  ['a<!-- <b> -->b<!doctype html>c<?x ?>d', ['abcd']],
  ['<script>"<b>"</script>x', ['<script>', '"<b>"', '</script>', 'x']],
  ['</b></i><b><i></b>', ['</b>', '</i>', '<b>', '<i>', '</b>']],
  ['a<b href="', ['a']],
  ['<constructor __proto__=1 toString=2>', ['<constructor __proto__=1 tostring=2>']],
  ['', []],
])('splits %j', (html, expected) => {
  expect(tokens(html)).toEqual(expected)
})

it('forgets the attributes of the previous tag', () => {
  expect(tokens('<a b=1><c><d e>')).toEqual(['<a b=1>', '<c>', '<d e=>'])
})
