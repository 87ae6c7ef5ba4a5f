import { expect, test } from 'vitest'
import { textToEncode } from './encoding-text.ts'

test.each([
  ['@AcmeHelp my bag is lost http://t.co/abc', 'my bag is lost'],
  ['.@AcmeHelp @other: two  of\nthem', 'two of them'],
  ['thanks @AcmeHelp for #nothing (#fail)', 'thanks AcmeHelp for nothing (fail)'],
  ['mail me at ann@example.com', 'mail me at ann@example.com'],
  ['issue #1234 is back, see www.example.com/x?y', 'issue 1234 is back, see'],
  ['@AcmeHelp', '@AcmeHelp'],
  ['https://example.com', 'https://example.com'],
  ['C# and 5 @ 3 stay', 'C# and 5 @ 3 stay'],
])('%j is read as %j', (text, read) => {
  expect(textToEncode(text)).toBe(read)
})
