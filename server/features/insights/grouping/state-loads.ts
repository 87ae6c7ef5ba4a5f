import { defineCache } from '../../../platform/caches.ts'

/** How many runs of grouping in this process found the state of their workspace in memory, and how many had to load it. */
export const stateLoads = defineCache('state loads', () => ({ memory: 0, database: 0 }))
