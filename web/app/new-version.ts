import { create } from 'zustand'
import { logFailure } from '../features/client/index.ts'

/** Whether the server has a newer build than the one in this tab, and the user has not dismissed the offer. */
export const useNewVersion = create<{ offered: boolean }>(() => ({ offered: false }))

/** Hides the offer of a new version until the next one is found. */
export function putOff(): void {
  useNewVersion.setState({ offered: false })
}

/**
 * A file of the app that cannot be fetched often belongs to a replaced build. Then the new version is offered. The page is
 * never reloaded automatically, since that would lose input.
 */
export function watchForNewVersion(): void {
  window.addEventListener('vite:preloadError', () => {
    isReplaced()
      .then((offered) => offered && useNewVersion.setState({ offered }))
      .catch(logFailure('Whether there is a new version is not known'))
  })
}

/** Whether the server's current page has a different entry script from this one. */
async function isReplaced(): Promise<boolean> {
  const started = document.querySelector('script[type=module][src]')?.getAttribute('src')
  if (!started) return false
  const answer = await fetch('/', { cache: 'no-store', headers: { Accept: 'text/html' } })
  return answer.ok && !(await answer.text()).includes(started)
}
