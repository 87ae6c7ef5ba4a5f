import { expect, test } from 'vitest'
import { prepare } from '../index.ts'
import { isCourtesy } from './courtesy.ts'

test.each([
  'I hope you are well.',
  'Hope all is good with you!',
  'Thanks for the quick reply.',
  'Thank you so much in advance',
  'Sorry to bother you again.',
  'Can you please help me?',
  'Any help would be great.',
  'Please get back to me as soon as possible.',
  'Let me know if you need more information.',
  'I look forward to your reply.',
  'I am writing about a problem with my account.',
  'This is really urgent for us!',
  "I've been a loyal customer since 2016.",
  'I use an iPhone 12.',
  'I have already tried restarting the app.',
  'Screenshot attached',
  'Please resolve this issue as soon as possible.',
  'What should I do?',
  'How can I fix this?',
  'We love your product otherwise.',
  'Vielen Dank im Voraus',
  'Können Sie mir bitte weiterhelfen?',
  'Merci pour votre aide',
  'Muchas gracias de antemano',
  'Obrigada pela ajuda',
])('%j is said in letters about anything', (sentence) => {
  expect(isCourtesy(sentence)).toBe(true)
})

test.each([
  'Let me know when the parcel arrives',
  'I wish you had a dark mode',
  'Thanks for the dark mode',
  'I would appreciate it if you could add a dark mode',
  'I am writing because the export fails',
  'I tried two browsers but the export fails in both',
  'Please fix the export',
  'How can I fix the wrong total?',
  'I have a problem with the export',
  'Can you help me find the export?',
  'What should I do to get my money back?',
  'The screenshot is blurry',
  'I attached a file and it vanished',
  'I need help with the import of contacts',
  '',
])('%j says something', (sentence) => {
  expect(isCourtesy(sentence)).toBe(false)
})

const said = (text: string) => prepare({ id: 'm', text, at: 0 }).map((statement) => statement.text)

test('courtesies are stripped around a statement, not inside it', () => {
  expect(
    said('Hello,\n\nI hope you are well. The export stops after a minute. It worked in May. Please help! Thanks a lot'),
  ).toEqual(['The export stops after a minute. It worked in May.'])
  expect(said('I have a question\nWhere is the export?\nThanks!')).toEqual(['Where is the export?'])
  expect(said('The export fails at 10.30 every day. Please help')).toEqual(['The export fails at 10.30 every day.'])
})

test('a courtesy alone is kept', () => {
  expect(said('Please help! Thanks a lot!')).not.toEqual([])
  expect(said('Thank you')).toEqual(['Thank you'])
})
