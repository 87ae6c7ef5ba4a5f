import { defineCache } from '../../platform/caches.ts'

/** How many attempts of this process at deliveries ended in which way. */
export const deliveryOutcomes = defineCache('outcomes of deliveries', () => ({
  delivered: 0,
  retried: 0,
  signed_out: 0,
  postponed: 0,
  failed: 0,
}))
