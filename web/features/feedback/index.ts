export { ImportLink } from './import-link.tsx'
export { useMeaningProgress } from './meaning-query.ts'

import { lazyDialog, lazyExtra } from '../../ui/loading/lazy-part.tsx'

/** Shows what deleting feedback changes, and deletes it. */
export const DeletionDialog = lazyDialog(async () => (await import('./deletion-dialog.tsx')).DeletionDialog)

/** The progress of the running import in one line. Fetched after the screen that shows it. */
export const RunningImportHint = lazyExtra(async () => (await import('./running-import-hint.tsx')).RunningImportHint)
