import fc from 'fast-check'

const SUBJECTS = [
  'CSV export',
  'password mail',
  'calendar sync',
  'dark mode',
  'invoice tax',
  'phone timer',
  'map',
  'search',
]
const TROUBLES = [
  'fails',
  'is slow',
  'never arrives',
  'shows a wrong value',
  'stops half way',
  'is missing',
  'came twice',
]
const PLACES = [
  'for large reports',
  'on my phone',
  'since Monday',
  'for our team in Leeds',
  'in the archive',
  'at night',
]
const MEGABYTE = 1_000_000

/** A line of ordinary feedback; `n` makes it one of very many. */
export function subjectLine(_: unknown, n: number): string {
  const pick = (list: readonly string[], by: number) => list[Math.floor(n / by) % list.length]
  const own = `${pick(SUBJECTS, 1)} ${pick(TROUBLES, 8)} ${pick(PLACES, 56)}`
  return n < 336 ? own : `${own}, case ${n.toString(26).replace(/\d/g, (digit) => 'qwertzuiop'.charAt(Number(digit)))}`
}

const MARKUP = [
  '<script>alert(1)</script>',
  '<div class="a"><p>The export <b>fails</b>',
  '<',
  '</',
  '&amp;',
  '<!--',
  ']]>',
  '<a href="',
]
const FRAMES = [
  'TypeError: x is not a function\n',
  '    at render (https://x.example/app.js:10:20)\n',
  '  File "app.py", line 3, in <module>\n',
  'goroutine 1 [running]:\n',
  '#3 0x00007f in main\n',
]
const MARKS = [
  '\u200f',
  '\u202e',
  '\u2067',
  '\u2069',
  '\u200b',
  '\u0301',
  '\ufeff',
  '\u0627\u0644\u062a\u0635\u062f\u064a\u0631',
]
const ODD = ['\0', '\ud83d', '\udc00', '\ud800', '\uffff', '\u2028', '\u0085', '\x1b[31m', '\r']
const EMOJI = ['😀', '👩‍👩‍👧‍👦', '🏳️‍🌈', '❤️', '🇩🇪', '👍🏽']
const LINES = [
  '> ',
  '-- \n',
  '---\n',
  '\n\n',
  '. ',
  '! ',
  '(',
  '@a',
  ':x:',
  '```\n',
  ' \t',
  'a\n',
  'On Mon, Ann wrote:\n',
  '__proto__ constructor ',
]
const WORDS = ['the export fails again ', 'x', 'Rechnung fehlt ', '登录失败', 'ไม่ทำงาน', 'a-1b2c3d4e ', '9'.repeat(40)]

const piece = fc.oneof(
  ...[MARKUP, FRAMES, MARKS, ODD, EMOJI, LINES, WORDS].map((list) => fc.constantFrom(...list)),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

/**
 * Messages that nobody should send: of one character, of pieces of markup, stack traces, odd characters, marks, emoji and
 * words in any mixture, and one piece over and over, up to a megabyte.
 */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
  { weight: 4, arbitrary: fc.array(piece, { minLength: 1, maxLength: 60 }).map((pieces) => pieces.join('')) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom(100, 10_000, MEGABYTE))
      .map(([pieces, units]) => {
        const one = pieces.join('') || ' '
        return one.repeat(Math.max(1, Math.floor(units / one.length)))
      }),
  },
  { weight: 1, arbitrary: fc.constantFrom(...EMOJI).map((emoji) => emoji.repeat(10_000)) },
)
