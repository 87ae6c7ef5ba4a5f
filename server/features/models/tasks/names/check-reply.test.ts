import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import { group } from '@groundswell/engine/index.ts'
import { describe, expect, test } from 'vitest'
import { checkReply, nameKey } from './check-reply.ts'
import { countPeople, type Evidence, gatherEvidence } from './evidence.ts'

/** As where the encoder is switched off. */
const byWords = () => Promise.resolve(null)

/** Names of real groups: the built-in ones, which are customers' sentences. */
test('is not too strict: most built-in names of the demo company’s groups of four and more people pass', async () => {
  const company = loadCompany()
  const items = company.map(({ text, author }, at) => ({
    id: String(at),
    text,
    at: at * 60_000,
    ...(author ? { author } : {}),
  }))
  const asked = group(items).insights.flatMap(({ issue_name, summary, mentions }) => {
    const said = mentions.map(({ itemId }) => company[Number(itemId)]).filter((message) => message !== undefined)
    const evidence = gatherEvidence(issue_name, said.map(({ text, author }) => ({ text, author })).reverse())
    if (countPeople(evidence.quotes) < 4) return []
    const quotes = evidence.quotes.slice(0, 2).map(({ text }) => text.slice(0, 40).trim())
    return [checkReply(JSON.stringify({ name: issue_name, summary, quotes }), evidence, new Set(), byWords)]
  })
  const verdicts = await Promise.all(asked)
  expect(verdicts.length).toBeGreaterThan(10)
  expect(verdicts.filter(({ ok }) => ok).length / verdicts.length).toBeGreaterThan(0.7)
})

const evidence = (texts: readonly string[], title = ''): Evidence => {
  const mentions = texts.map((text, at) => ({ text, person: `@${at}` }))
  return { title, quotes: mentions, mentions, withheld: [] }
}

const judge = async (
  of: Evidence,
  name: string,
  summary: string,
  quotes: readonly string[],
  taken = new Set<string>(),
) => {
  const verdict = await checkReply(JSON.stringify({ name, summary, quotes }), of, taken, byWords)
  return verdict.ok ? 'ok' : verdict.refusal
}

describe('checkReply', () => {
  const german = evidence([
    'Der Export der Berichte bricht ab',
    'Berichte: Export bricht immer ab',
    'Export der Berichte geht nicht',
  ])
  const quotes = ['Der Export der Berichte', 'Export bricht immer ab']

  test('handles other languages, and scripts without spaces', async () => {
    expect(await judge(german, 'Export der Berichte bricht ab', 'Der Export der Berichte bricht ab.', quotes)).toBe(
      'ok',
    )
    expect(await judge(german, 'Login schlägt fehl', 'Der Export der Berichte bricht ab.', quotes)).toBe('name')
    const japanese = evidence(['レポートのエクスポートが止まる', 'レポートのエクスポートが失敗する'])
    const pieces = ['レポートのエクスポートが止まる', 'レポートのエクスポートが失敗する']
    expect(await judge(japanese, 'レポートのエクスポートが失敗', 'レポートのエクスポートが止まる。', pieces)).toBe('ok')
    expect(await judge(japanese, '請求書の合計が違う', 'レポートのエクスポートが止まる。', pieces)).toBe('name')
  })

  test('a piece that both messages contain counts as a quote of both; one that only one contains, once', async () => {
    expect(
      await judge(german, 'Export der Berichte', 'Export bricht ab.', ['Export der Berichte', 'Export der Berichte']),
    ).toBe('ok')
    expect(
      await judge(german, 'Export der Berichte', 'Export bricht ab.', ['bricht immer ab', 'bricht immer ab']),
    ).toBe('quotes')
    expect(await judge(german, 'Export der Berichte', 'Export bricht ab.', ['', ''])).toBe('quotes')
  })

  test('a link or a file name from the messages is allowed', async () => {
    const files = evidence(['report.csv is empty when exported', 'the exported report.csv is always empty'])
    const pieces = ['report.csv is empty', 'report.csv is always empty']
    expect(await judge(files, 'Exported report.csv is empty', 'The exported report.csv is empty.', pieces)).toBe('ok')
    expect(await judge(files, 'Exported report.zip is empty', 'The exported report.csv is empty.', pieces)).toBe('link')
  })

  test('a word in capitals by one person alone is refused, one by several is allowed', async () => {
    const loud = evidence(['SAML login fails, SCAM company', 'login by SAML fails for everybody'])
    const pieces = ['SAML login fails', 'login by SAML fails']
    expect(await judge(loud, 'SAML login fails', 'The SAML login fails.', pieces)).toBe('ok')
    expect(await judge(loud, 'SAML login fails, scam', 'The SAML login fails.', pieces)).toBe('voice')
    expect(await judge(loud, 'SAML login fails', 'The SAML login fails, a scam.', pieces)).toBe('summary')
  })

  test('names that read the same have one key', async () => {
    expect(nameKey('  Export: Berichte – bricht ab!')).toBe(nameKey('export berichte bricht ab'))
    const taken = new Set([nameKey('EXPORT der Berichte')])
    expect(await judge(german, 'Export der Berichte', 'Export bricht ab.', quotes, taken)).toBe('taken')
  })
})
