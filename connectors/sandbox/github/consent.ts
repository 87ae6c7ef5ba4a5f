import type { ConsentPage } from '../consent.ts'
import { returnAddress } from '../grants.ts'
import type { SignIns } from './sign-in.ts'

/**
 * The page at a path: for installing the app, or for signing in with one that is installed. Installing creates an installation on the
 * account `acme` unless there is one.
 */
export function consentAt(signIns: SignIns, path: string): ConsentPage {
  const isInstalling = path === `/apps/${signIns.slug}/installations/new`
  return {
    problem(values) {
      if (isInstalling) return signIns.callbackUrl === '' ? 'The app has no callback URL.' : null
      if (path !== '/login/oauth/authorize') return 'There is no such app.'
      if (values.get('client_id') !== signIns.clientId) return 'The client ID is not that of an app.'
      return URL.canParse(values.get('redirect_uri') ?? '') ? null : 'The address to return to cannot be used.'
    },
    words: () => ({
      title: 'Groundswell wants to use your GitHub',
      about: 'GitHub on this machine.',
      permissions: ['Read and write issues', 'Read metadata'],
      action: path,
      allow: isInstalling ? 'Install the app' : 'Sign in with the app',
    }),
    decide(values) {
      const address = isInstalling ? signIns.callbackUrl : (values.get('redirect_uri') ?? '')
      if (values.get('decision') !== 'allow') return returnAddress(values, { error: 'access_denied' }, address)
      const code = signIns.approve(signIns.login)
      if (!isInstalling) return returnAddress(values, { code }, address)
      const before = signIns.installations.find(({ account }) => account.login === 'acme')
      const { id } = before ?? signIns.install('acme')
      const setup_action = before ? 'update' : 'install'
      return returnAddress(values, { code, installation_id: String(id), setup_action }, address)
    },
  }
}
