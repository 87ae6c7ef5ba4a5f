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
export function subjectLine(n: number): string {
  const pick = (list: readonly string[], by: number) => of(list, Math.floor(n / by))
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

const PIECES = [MARKUP, FRAMES, MARKS, ODD, EMOJI, LINES, WORDS]

/**
 * A message that nobody should send, read off a row of numbers from 0 to 999: one character, words that no other has,
 * or pieces of markup, stack traces, odd characters, marks, emoji and words, in any mixture or a few over and over, up to a megabyte.
 */
export function hostileText(row: readonly number[]): string {
  const [way = 0, length = 0, ...rest] = row
  if (way % 10 === 0) return unit(length, rest[0] ?? 0)
  if (way % 10 === 1) return of(EMOJI, length).repeat(10_000)
  if (way % 10 === 2) return rest.map((number, at) => made(number, rest[at + 1] ?? 7)).join(' ')
  const pieces = rest.map((number, at) => pieceOf(number, rest[at + 1] ?? 7))
  if (way % 10 < 6) return pieces.join('')
  const one = pieces.slice(0, 1 + (length % 3)).join('') || ' '
  const units = [100, 10_000, MEGABYTE][Math.floor(length / 3) % 3] ?? 100
  return one.repeat(Math.max(1, Math.floor(units / one.length)))
}

function pieceOf(number: number, next: number): string {
  const list = PIECES[number % (PIECES.length + 1)]
  return list ? of(list, Math.floor(number / 8)) : unit(number, next) + unit(next, number)
}

/** A word that no other message has. */
function made(a: number, b: number): string {
  return (a * 7_919_000 + b * 104_729 + 1).toString(26).replace(/\d/g, (digit) => 'qwrtzvbnmk'.charAt(Number(digit)))
}

/** Any UTF-16 unit, halves of characters too. */
function unit(a: number, b: number): string {
  return String.fromCharCode((a * 1_000 + b) % 65_536)
}

function of(list: readonly string[], at: number): string {
  return list[at % list.length] ?? ''
}
