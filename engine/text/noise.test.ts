import { describe, expect, test } from 'vitest'
import { isAgreement, noiseReason } from './noise.ts'
import { normalise, tokenise } from './normalise.ts'

const tokens = (text: string) => tokenise(normalise(text))

describe('noiseReason', () => {
  test.each([
    'thanks!',
    'Thank you so much 🙏',
    'lol',
    'hahaha',
    'good morning everyone',
    '🎉🎉🎉',
    ':tada:',
    '...',
    '42',
    '<@U123> has joined the channel',
    'ann joined',
    'Ann set the channel topic: support questions',
    'Guten Morgen zusammen',
    'Vielen Dank!',
    'ok, sounds good',
    'Have a nice weekend all',
    'Thanks for the quick help this morning, all sorted.',
    'Vielen Dank für die schnelle Hilfe gestern',
    'My question from Monday is solved, you can close the ticket',
    'Automatic reply: I am on leave until September',
  ])('chit-chat: %j', (text) => {
    expect(noiseReason(tokens(text))).not.toBeNull()
  })

  test.each([
    'thanks, but the export still fails',
    'Thank you for the new export, it is slow however',
    'Danke, aber der Export geht immer noch nicht',
    'close the ticket? it still fails',
    'dark mode please',
    'ok so the timer stops',
    'login broken',
    'Good morning, nobody can log in',
    'Rechnung falsch',
    'I joined the wrong project by mistake and cannot leave it',
    '輸出失敗',
  ])('feedback: %j', (text) => {
    expect(noiseReason(tokens(text))).toBeNull()
  })
})

describe('isAgreement', () => {
  test.each(['+1', 'same here', 'Same problem for us', 'me too!', 'this', 'bei uns auch', 'dito'])('%j', (text) => {
    expect(isAgreement(tokens(text))).toBe(true)
  })

  test.each(['thanks', 'same with the CSV export', 'stay warm!', 'the invoice is wrong'])('not %j', (text) => {
    expect(isAgreement(tokens(text))).toBe(false)
  })
})
