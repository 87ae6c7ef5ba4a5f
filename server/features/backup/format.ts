import { z } from 'zod'

/**
 * First line of a backup: what wrote it, and the number of the newest migration it had. `secrets`: the rows hold sealed secrets. They need
 * the sealing key, which is `key` (in base64) or, where that is null, the one with the id `sealed_with`, or earlier ones that were not yet replaced.
 */
export const BackupHeader = z.object({
  groundswell_backup: z.literal(1),
  migration: z
    .string()
    .regex(/^[0-9]{1,6}$/)
    .transform(Number),
  created_at: z.string(),
  secrets: z.boolean(),
  key: z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((bytes) => bytes.length === 32)
    .nullable(),
  sealed_with: z.string().optional(),
})
export type BackupHeader = z.infer<typeof BackupHeader>

/** Last line: without it the file was truncated. */
export const BackupEnd = z.object({ end: z.literal(true), rows: z.number().int() })

/** The file is not a backup that can be restored here; the message explains why. */
export class BackupError extends Error {
  override name = 'BackupError'
}
