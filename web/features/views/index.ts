import { lazyDialog } from '../../ui/lazy-part.tsx'

/** Its code is fetched when it is opened. */
export const SaveViewDialog = lazyDialog(async () => (await import('./save-view-dialog.tsx')).SaveViewDialog)
