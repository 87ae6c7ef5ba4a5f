import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText, withEmoji } from '../kit/mrkdwn/text.ts'

const names = new Map([
  ['U1', 'Ann Lee'],
  ['U2', 'max_power *the* :tada:'],
  ['C7', 'bug_reports'],
])
const plain = (text: string) => plainText(text, names)

describe('plainText', () => {
  it.each([
    ['hello', 'hello'],
    ['<@U1> the export fails', '@Ann Lee the export fails'],
    ['<@U9|bob> and <@U9>', '@bob and @U9'],
    ['<@U2>', '@max_power *the* :tada:'],
    ['<#C1|general> and <#C2>', '#general and #C2'],
    ['<#C7> and <#C7|old-name> and <#C7|>', '#bug_reports and #bug_reports and #bug_reports'],
    ['<!here> <!channel> <!everyone>', '@here @channel @everyone'],
    ['<!subteam^S1|@support> <!subteam^S1>', '@support @group'],
    ['<!date^1392734382^{date}|Feb 18, 2014>', 'Feb 18, 2014'],
    ['<!date^1392734382^{date}>', 'a date'],
    ['<https://a.example/x_y_z>', 'https://a.example/x_y_z'],
    ['<https://a.example/|a.example>', 'https://a.example/'],
    ['<https://a.example/b?c=1&amp;d=2|the *report*>', 'the report (https://a.example/b?c=1&d=2)'],
    ['<mailto:ann@a.example|ann@a.example>', 'ann@a.example'],
    ['<tel:+49123|+49123>', '+49123'],
    ['a &lt;b&gt; &amp; c', 'a <b> & c'],
    ['&amp;lt;script&amp;gt;', '&lt;script&gt;'],
    ['&lt;@U1&gt; was typed', '<@U1> was typed'],
    ['*bold* _italic_ ~gone~', 'bold italic gone'],
    ['*_both_*', 'both'],
    ['snake_case_name 2*3*4 a~b~c', 'snake_case_name 2*3*4 a~b~c'],
    ['* a list', '* a list'],
    ['(*bold*), "_so_"!', '(bold), "so"!'],
    ['`a_b_c` and `*x*`', 'a_b_c and *x*'],
    ['```\nif (a &lt; b) :tada:\n```', 'if (a < b) :tada:'],
    ['great :tada: :+1::skin-tone-3: :our-own-one:', 'great 🎉 👍 :our-own-one:'],
    [':flag-de: :one: :medal: :umbrella: :face_with_monocle:', '🇩🇪 1\ufe0f\u20e3 🎖 ☂ 🧐'],
    ['at 10:30:45 sharp', 'at 10:30:45 sharp'],
    ['&gt; quoted\nanswer', '> quoted\nanswer'],
    ['Ä *größer* ÜBER', 'Ä größer ÜBER'],
    ['a < b and c > d', 'a < b and c > d'],
    ['a\0b', 'ab'],
    ['\ud800 half', '\ufffd half'],
    ['  spaced  ', 'spaced'],
    ['', ''],
    [':constructor: :__proto__:', ':constructor: :__proto__:'],
  ])('converts %j to %j', (text, expected) => {
    expect(plain(text)).toBe(expected)
  })

  it('leaves text without markup as typed', () => {
    const typed = fc.string({ unit: fc.constantFrom('a', 'Ä', '漢', ' ', '1', '.', '?', '(', '"', '/', '#', '@', '-') })
    fc.assert(
      fc.property(typed, (text) => {
        expect(plain(text)).toBe(text.trim())
      }),
    )
  })

  it('unescapes what Slack escaped, exactly once', () => {
    const typed = fc.string({ unit: fc.constantFrom('&', '<', '>', 'amp;', 'lt;', 'a', ' ') })
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    fc.assert(
      fc.property(typed, (text) => {
        expect(plain(escaped(text))).toBe(text.trim())
      }),
    )
  })

  it('converts any text to well-formed text without NUL, in linear time', () => {
    const marks = fc.string({
      unit: fc.constantFrom('<', '>', '*', '_', '~', '`', ':', '|', '@', '&', '\0', '\ud800', 'x', '\n'),
    })
    fc.assert(
      fc.property(marks, (text) => {
        const result = plain(text)
        return result.isWellFormed() && !result.includes('\0')
      }),
    )
    for (const part of ['*a', '_', '~x ', '<', '`', ':a', '<@U', '```'])
      expect(plain(part.repeat(20_000))).toEqual(expect.any(String))
  })
})

it.each([
  ['*as typed* :tada: &lt;b&gt;', '*as typed* 🎉 <b>'],
  [':our-own-one: at 10:30:45', ':our-own-one: at 10:30:45'],
])('withEmoji converts %j to %j', (text, expected) => {
  expect(withEmoji(text)).toBe(expected)
})
