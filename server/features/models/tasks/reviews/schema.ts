import { z } from 'zod'

/** The form of a reply. `check-reply.ts` decides what of it is believed. */
export const Reviews = z.object({
  reviews: z.array(
    z.object({
      id: z.string(),
      strangers: z.array(z.string()),
      same: z.array(z.string()),
      name: z.string(),
      summary: z.string(),
      said: z.array(z.string()),
    }),
  ),
})

/** What a reply says about one insight. */
export type RepliedReview = z.infer<typeof Reviews>['reviews'][number]

/** A stranger as it was replied. `to`: the id of the insight that it belongs to; `part`: the other problem that it is about, from 1; null: neither. */
export type RepliedStranger = { id: string; to: string | null; part: number | null; quote: string }

const STRANGER = /^(\S+)(?: to (\S+)| part ([1-9]\d{0,2}))?: (.+)$/su

/** Reads a line: `id: words`, `id to other: words` or `id part 1: words`. Null for any other form. */
export function parseStranger(line: string): RepliedStranger | null {
  const match = STRANGER.exec(line)
  if (!match) return null
  const [, id = '', to, part, quote = ''] = match
  return { id, to: to ?? null, part: part === undefined ? null : Number(part), quote }
}
