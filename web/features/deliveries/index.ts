export { InsightDeliveries } from './insight-deliveries.tsx'
