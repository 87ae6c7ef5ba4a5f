import { expect, test } from 'vitest'
import { isOwnSideWording } from './own-side.ts'

test.each([
  'Sorry to hear that! Please send us a DM with your booking reference and we will look into it.',
  'Thanks for reaching out. Our team is looking into this and will get back to you.',
  'Hi Bo, thank you for your patience. Could you let us know which version you are using? Kind regards, Ines',
  'We apologise for the delay. Please let us know if there is anything else we can do.',
  'Es tut uns leid, dass das nicht funktioniert hat. Bitte schicken Sie uns Ihre Bestellnummer, wir kümmern uns darum.',
])('the own side’s: %s', (text) => {
  expect(isOwnSideWording(text)).toBe(true)
})

test.each([
  'The export of invoices stops at page two',
  'Thanks, that worked!',
  'Please add a dark mode',
  'Your account page is slow and nobody answers',
  'Are you using the same server as last year? It is so slow',
  'We need an export to Excel, our team works with it every day',
  'Great app, love it',
  '',
])('a customer’s: %s', (text) => {
  expect(isOwnSideWording(text)).toBe(false)
})
