import { escapeHtml, page, refusalHtml } from '../page.ts'
import type { SignIns } from './sign-in.ts'

const WHERE: Record<string, string> = { install: 'Install the app', authorize: 'Sign in with the app' }

/** The page for installing the app, or for signing in with one that is installed. */
export function consentHtml(signIns: SignIns, path: string, query: URLSearchParams): { status: number; html: string } {
  const action = path === `/apps/${signIns.slug}/installations/new` ? 'install' : 'authorize'
  const problem = problemOf(signIns, action, path, query)
  if (problem !== null) return { status: 400, html: refusalHtml(problem) }
  const hidden = ['state', 'redirect_uri']
    .filter((name) => query.has(name))
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(query.get(name) ?? '')}">`)
    .join('')
  const html = page(
    'Groundswell wants to use your GitHub',
    `<p>This is the sandbox: a stand-in for GitHub on this machine.</p>
<ul><li>Read and write issues</li><li>Read metadata</li></ul>
<form method="post" action="/sandbox/decide">${hidden}<input type="hidden" name="action" value="${action}">
<button name="decision" value="cancel">Cancel</button><button name="decision" value="allow">${WHERE[action]}</button></form>`,
  )
  return { status: 200, html }
}

function problemOf(signIns: SignIns, action: string, path: string, query: URLSearchParams): string | null {
  if (action === 'install') return signIns.callbackUrl === '' ? 'The app has no callback URL.' : null
  if (path !== '/login/oauth/authorize') return 'There is no such app.'
  if (query.get('client_id') !== signIns.clientId) return 'The client ID is not that of an app.'
  return URL.canParse(query.get('redirect_uri') ?? '') ? null : 'The address to return to cannot be used.'
}

/** Where the person is sent back to. Installing creates an installation on the account `acme` unless there is one. */
export function decide(signIns: SignIns, values: URLSearchParams): string {
  const isInstalling = values.get('action') === 'install'
  const target = new URL(isInstalling ? signIns.callbackUrl : (values.get('redirect_uri') ?? ''))
  const { searchParams } = target
  if (values.has('state')) searchParams.set('state', values.get('state') ?? '')
  if (values.get('decision') !== 'allow') {
    searchParams.set('error', 'access_denied')
    return target.href
  }
  searchParams.set('code', signIns.approve(signIns.login))
  if (isInstalling) {
    const before = signIns.installations.find(({ account }) => account.login === 'acme')
    searchParams.set('installation_id', String((before ?? signIns.install('acme')).id))
    searchParams.set('setup_action', before ? 'update' : 'install')
  }
  return target.href
}
