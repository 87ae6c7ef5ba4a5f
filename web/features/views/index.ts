import { lazyDialog, lazyExtra } from '../../ui/loading/lazy-part.tsx'

/** Its code is fetched when it is opened. */
export const SaveViewDialog = lazyDialog(async () => (await import('./save-view-dialog.tsx')).SaveViewDialog)

/** The saved views as links of the sidebar. */
export const ViewList = lazyExtra(async () => (await import('./view-list.tsx')).ViewList)
