import { z } from 'zod'

/** The order for the thread that writes a scheduled backup. `keyId`: the key that sealed the secrets, which is not in the file. */
export const WriterOrder = z.object({
  ownerUrl: z.string(),
  folder: z.string(),
  keep: z.number(),
  keyId: z.string(),
  at: z.coerce.date(),
})
export type WriterOrder = z.infer<typeof WriterOrder>

/** What it reports: the file, or that another process is writing one. */
export const WriterReport = z.union([z.object({ file: z.string() }), z.object({ busy: z.literal(true) })])
export type WriterReport = z.infer<typeof WriterReport>
