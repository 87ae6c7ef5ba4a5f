export { followDeliveries } from './follow-deliveries.ts'
export { InsightDeliveries } from './insight-deliveries.tsx'
