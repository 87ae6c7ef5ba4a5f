/** A person with an account at the provider. */
export type OpenIdPerson = { sub: string; name: string; email: string; emailVerified: boolean }

/** The made-up people one can sign in as; the last one never confirmed the e-mail address. */
export const people: readonly OpenIdPerson[] = [
  { sub: '100000000000000000001', name: 'Grace Nordin', email: 'grace@tallybrook.example', emailVerified: true },
  { sub: '100000000000000000002', name: 'Theo Abara', email: 'theo@tallybrook.example', emailVerified: true },
  { sub: '100000000000000000003', name: 'Una Verified', email: 'una@tallybrook.example', emailVerified: false },
]
