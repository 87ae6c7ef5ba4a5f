import { z } from 'zod'

/** The form of a reply. `verdicts.ts` decides whether it is believed. */
export const Verdicts = z.object({ answers: z.array(z.object({ of: z.string(), same: z.array(z.string()) })) })
