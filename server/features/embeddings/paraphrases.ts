import type { Said } from './testing.ts'

/** For tests: what people say about four subjects, each time in other words, so that only meaning connects them. */
const PARAPHRASES = {
  export: [
    'The CSV export stops after a thousand rows',
    'Downloading my spreadsheet gets cut off halfway',
    'When I save the table as a file, most lines are missing',
    'Exported reports are incomplete, the last records never make it',
    'The data download breaks off before the end',
    'Getting my records out as Excel only gives me the first part',
    'My downloaded file contains just a fraction of the rows',
    'Export to CSV is truncated for large tables',
  ],
  login: [
    'I cannot log in since this morning',
    'The sign-in page rejects my password',
    'My account is locked and I am unable to get in',
    'Logging in fails with an unknown error',
    'It says my credentials are wrong although they are correct',
    'Access denied whenever I try to sign in',
    'The login button does nothing, so I am locked out',
    'I keep getting thrown back to the login screen',
  ],
  dark: [
    'Please add a dark mode',
    'The white background hurts my eyes at night',
    'A night theme would be great',
    'I would love a darker colour scheme for the evening',
    'Everything is far too bright in the dark',
    'Could you offer a black theme',
    'The glaring screen is painful after sunset, give us dark colours',
    'Dark theme, please, my eyes hurt',
  ],
  invoice: [
    'The invoice shows the wrong tax number',
    'Our VAT ID on the bill is incorrect',
    'Billing documents list somebody else as the tax payer',
    'The tax on my receipt was calculated wrongly',
    'Invoices carry an outdated VAT number',
    'Accounting refuses your bills because the tax details are wrong',
    'Please correct the VAT ID that is printed on my invoices',
    'My receipts have a mistake in the tax field',
  ],
} as const

/** Messages `from` to `to` of each subject, the subjects in turn. */
export function paraphrases(from: number, to: number): Said[] {
  return Array.from({ length: to - from }, (_, n) =>
    Object.entries(PARAPHRASES).map(([subject, texts]) => ({
      id: `${subject}${from + n}`,
      text: texts[from + n] as string,
      author: `person ${subject}${from + n}`,
    })),
  ).flat()
}
