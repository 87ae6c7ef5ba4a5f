import { lazyDialog } from '../../ui/loading/lazy-part.tsx'

/** Its code is fetched when it is opened. */
export const ShareDialog = lazyDialog(async () => (await import('./share-dialog.tsx')).ShareDialog)
