export { ImportLink } from './import-link.tsx'

import { lazyExtra } from '../../ui/lazy-part.tsx'

/** A line that says how far the running import { lazyExtra } from '../../ui/lazy-part.tsx'
import is. Fetched after the screen that shows it. */
export const RunningImportHint = lazyExtra(async () => (await import('./running-import-hint.tsx')).RunningImportHint)
