import { z } from 'zod'
import { defineJob } from '../../../platform/queue/queue.ts'

const SIX_HOURS = 6 * 3600

/** Reads one import. Serial by workspace, so that the items of two imports do not mix. */
export const importJob = defineJob({
  name: 'import',
  schema: z.object({ workspaceId: z.uuid(), importId: z.uuid() }),
  serial: true,
  timeout: SIX_HOURS,
})

/** Finds imports whose job was lost, and interrupted uploads. */
export const importSweepJob = defineJob({ name: 'import-sweep', schema: z.object({}), serial: true })
