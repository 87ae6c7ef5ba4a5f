import { z } from 'zod'

/** The form of a reply. `pieces.ts` finds the pieces in the message. */
export const Pieces = z.object({ pieces: z.array(z.string()) })
