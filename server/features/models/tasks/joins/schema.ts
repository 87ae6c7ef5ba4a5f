import { z } from 'zod'

/** The form of a reply. `verdicts.ts` decides whether it is believed. */
export const Verdicts = z.object({ cases: z.array(z.object({ id: z.string(), same: z.boolean() })) })
