import { create } from 'zustand'
import { logFailure } from '../features/client/index.ts'

/** Whether the server has another build than the one that runs in this tab, and the user has not put the offer aside. */
export const useNewVersion = create<{ offered: boolean }>(() => ({ offered: false }))

export function putOff(): void {
  useNewVersion.setState({ offered: false })
}

/**
 * A file of the app that cannot be fetched is often one of a build that was replaced. Then the new version is offered. The
 * page is never reloaded unasked: what is typed would be lost.
 */
export function watchForNewVersion(): void {
  window.addEventListener('vite:preloadError', () => {
    isReplaced()
      .then((offered) => offered && useNewVersion.setState({ offered }))
      .catch(logFailure('Whether there is a new version is not known'))
  })
}

/** Whether the page that the server has now starts with another script than this one did. */
async function isReplaced(): Promise<boolean> {
  const started = document.querySelector('script[type=module][src]')?.getAttribute('src')
  if (!started) return false
  const answer = await fetch('/', { cache: 'no-store', headers: { Accept: 'text/html' } })
  return answer.ok && !(await answer.text()).includes(started)
}
