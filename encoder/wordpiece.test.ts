import { readFile } from 'node:fs/promises'
import { ownTexts } from '@groundswell/bench/engine/encoder/encoder-texts.ts'
import { Tokenizer } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { findModel } from './model-folder.ts'
import { BadTokenizer, parseWordPiece, type Tokenize, type WordPieceFile, wordPiece } from './wordpiece.ts'

const UNLIMITED = 1_000_000
let file: WordPieceFile
let ours: Tokenize
let theirs: (text: string) => number[]

beforeAll(async () => {
  file = parseWordPiece(await readFile((await findModel()).tokenizer, 'utf8'), 30_522)
  ours = wordPiece(file, UNLIMITED)
  const tokenizer = new Tokenizer(file, {})
  theirs = (text) => tokenizer.encode(text).ids
})

/** The texts whose ids differ. */
const differing = (texts: readonly string[]) => texts.filter((text) => ours(text).join() !== theirs(text).join())

test('has the ids of @huggingface/tokenizers for all texts of our own sets', () => {
  const texts = ownTexts(5_000)
  expect(texts.length).toBeGreaterThan(2_000)
  expect(differing(texts)).toEqual([])
})

test('has the ids of @huggingface/tokenizers for the characters of Unicode, within a word and between words', () => {
  const texts: string[] = []
  // Beyond the first two planes there are rare ideographs, and hardly anything is assigned: samples.
  for (let start = 0; start < 0x110000; start += start < 0x20000 ? 64 : 0x1000) {
    const characters = Array.from({ length: 64 }, (_, index) => String.fromCodePoint(start + index))
    texts.push(characters.map((character) => `re${character}ad ${character}`).join(' '))
  }
  expect(differing(texts)).toEqual([])
})

test.each([
  ['nothing', ''],
  ['white space only', ' \t\n\u3000 '],
  ['accents, composed and not', 'Ça été naïve A\u030angstro\u0308m İSTANBUL ΟΔΟΣ ﬁnal ẞtraße'],
  ['scripts without spaces', '支払いページが真っ白 结账页面打不开 결제 페이지가 สวัสดี'],
  ['emoji of several characters', '👍🏽👩‍👩‍👧 🇩🇪 ❤️‍🔥 1️⃣'],
  ['control characters', 'a\u0000b\u0007c\u200bd\u00ade\ufefff\u2028g\u0085h\ufffdi'],
  ['half of a surrogate pair', 'up\ud83ddate \udc4d'],
  ['words of 100 and of 101 characters', `${'a'.repeat(100)} ${'a'.repeat(101)} ${'𝒳'.repeat(100)} ${'é'.repeat(101)}`],
  ['a word that the vocabulary does not cover', 'ꙮ read ꙮꙮ'],
  ['special tokens that are written out', 'before [UNK]after [SEP][CLS] [MASK] [PAD] [unk] [UN K] [[UNK]]'],
  ['punctuation', "don't... (e.g. v2.3-beta_1) 50% €5 a+b=c <b> ~x^2` “q” ¿no? 100°"],
])('has the ids of @huggingface/tokenizers for %s', (_, text) => {
  expect(ours(text)).toEqual(theirs(text))
})

test('has the ids of @huggingface/tokenizers for random mixtures', () => {
  const part = fc.oneof(
    fc.constantFrom('[UNK]', '[SEP]', 'export', 'ing', '##s', ' ', '\n', '中', 'é', '👍', '-', "'", '\u0301', 'İ', 'Σ'),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      expect(differing([parts.join('')])).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})

test('cuts a long text and ends it', () => {
  const text = 'the export stops '.repeat(100)
  const whole = ours(text)
  const cut = wordPiece(file, 16)(text)
  expect(cut).toEqual([...whole.slice(0, 15), whole.at(-1)])
  expect(wordPiece(file, 16)('[UNK]'.repeat(40))).toHaveLength(16)
})

test.each([
  ['is no JSON', () => '{', 'its tokenizer is not JSON'],
  ['is of another kind', () => JSON.stringify({ ...file, model: { ...file.model, type: 'BPE' } }), 'not WordPiece'],
  ['keeps capitals', () => JSON.stringify({ ...file, normalizer: { type: 'BertNormalizer' } }), 'lower-case text'],
  ['has more words than the model', () => JSON.stringify(file), 'its tokenizer has too many words'],
])('rejects a tokenizer that %s', (_, text, message) => {
  expect(() => parseWordPiece(text(), 30_521)).toThrow(BadTokenizer)
  expect(() => parseWordPiece(text(), 30_521)).toThrow(message)
})
