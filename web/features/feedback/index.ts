export { ImportLink } from './import-link.tsx'

import { lazyExtra } from '../../ui/lazy-part.tsx'

/** The progress of the running import in one line. Fetched after the screen that shows it. */
export const RunningImportHint = lazyExtra(async () => (await import('./running-import-hint.tsx')).RunningImportHint)
