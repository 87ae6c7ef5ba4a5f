import { lazyDialog } from '../../ui/loading/lazy-part.tsx'

export { followDeliveries } from './follow-deliveries.ts'
export { HeldBanner } from './held-banner.tsx'
export { ClosedReasons, InsightDeliveries, LatestDelivery } from './insight-deliveries.tsx'
export { failureText, isUnderWay } from './wait-words.ts'

/** Its code is fetched when it is opened. */
export const PreviewDialog = lazyDialog(async () => (await import('./preview-dialog.tsx')).PreviewDialog)
