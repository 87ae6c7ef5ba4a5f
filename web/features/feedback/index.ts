export { ImportLink } from './import-link.tsx'

import { lazy } from 'react'

/** A line that says how far the running import is. Fetched after the screen that shows it. */
export const RunningImportHint = lazy(async () => ({
  default: (await import('./running-import-hint.tsx')).RunningImportHint,
}))
