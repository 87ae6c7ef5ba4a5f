export { followDeliveries } from './follow-deliveries.ts'
export { HeldBanner } from './held-banner.tsx'
export { InsightDeliveries } from './insight-deliveries.tsx'
