import { describe, expect, test } from 'vitest'
import { isAboutItsConversation } from './agreement.ts'

describe('a reply without a subject that opens by agreeing is about its conversation', () => {
  test.each([
    '+1, Okta here',
    '+1 with Entra ID, so its not the identitiy provider',
    '+1, my eyes at 11pm will thank you',
    '+ 1 from Walsh & Daughters',
    'same on iPad',
    'Same @ Lawson Learning',
    'Same from Garnier Films. "It must look like us, not like software"',
    'same with our forestry people',
    'same!! hole company locked out',
    'Same here, all 64 of our consultants are shut out',
    'Same reason here (photosensitivity). Not just cosmetics.',
    'Same, Monday please like the rest of Europe',
    'same story from Blackwood Audit, ironically',
    'Us too, since about 8:40',
    'me too, thanks',
    'yes, same here :cry:',
    '@ann ditto, Pixel 7',
    'likewise at Harbour & Co',
    'also affects us, 40 seats',
    'Also Tern & Co Landscaping, on iPhones',
    'another vote from Whitby Marine',
    'stopped for us as well',
    'Doubles here as well, with Outlook',
    '+1 von Alpenblick Software',
    'bei uns auch, 30 Plätze',
    'Ja, dito, Android 14',
    'ebenso in Wien',
    'hier auch nicht mehr',
    'Beim iPhone leider genauso',
    'Gleiches Problem, Entra ID',
    'moi aussi, depuis lundi',
    'pareil chez nous, 12 postes',
    'Idem sur iPad',
    'yo también, en Madrid',
    'igual aquí, con Android',
    'eu também, no iPhone',
    'aqui também, desde ontem',
  ])('%j', (text) => {
    expect(isAboutItsConversation(text, { subjectless: true })).toBe(true)
  })

  test.each([
    'thanks',
    'thanks, same to you',
    'Same to you!',
    'Danke, ebenso!',
    'also thanks for the help yesterday',
    'also, could you add a dark mode?',
    'also could you share that script',
    'Also please look at the invoices',
    'auch danke für die Hilfe',
    'welcome aboard',
    'great job team',
    '10 of them',
    '+10 for effort',
    '+1 555 010 0199',
    'sameday delivery',
    'I like it',
    '',
  ])('not %j', (text) => {
    expect(isAboutItsConversation(text, { subjectless: true })).toBe(false)
  })
})

describe('a reply that may have a subject is about its conversation only if it agrees in few words', () => {
  test.each(['also affects us, 40 seats', 'us too, in the Leeds office', '+1 for us', 'bei uns auch, 30 Plätze'])(
    '%j',
    (text) => expect(isAboutItsConversation(text, { subjectless: false })).toBe(true),
  )

  test.each([
    '+1 for a higher limit of the API, and the invoices should carry our logo',
    'also the invoice is blank',
    'also, could you add a dark mode?',
    'auch die Rechnung ist leer',
    'the export fails',
  ])('not %j', (text) => expect(isAboutItsConversation(text, { subjectless: false })).toBe(false))
})
