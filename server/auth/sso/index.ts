import { beginLink, testSso } from './calls.ts'
import { readSso, removeSso, saveSso, switchSso } from './configure.ts'
import { ssoCallbackPath, ssoLink } from './link.ts'

export { ssoMount } from './mount.ts'
export { resealProviders } from './reseal.ts'
export type { ProviderRow } from './store.ts'

/** What the calls on the single sign-on of a workspace do: each that changes something checks again, in its transaction, that the caller may. */
export const singleSignOn = {
  read: readSso,
  save: saveSso,
  switch: switchSso,
  remove: removeSso,
  test: testSso,
  link: beginLink,
  linkOf: ssoLink,
  callbackPath: ssoCallbackPath,
}
