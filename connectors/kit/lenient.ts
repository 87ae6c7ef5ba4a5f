import * as z from 'zod/mini'

/** A field that a message can be read without: null where it does not match its schema, and the message stays. */
export const lenient = <T extends z.ZodMiniType>(schema: T) =>
  z.optional(
    z.pipe(
      z.unknown(),
      z.transform((value): z.infer<T> | null => (schema.safeParse(value).data as z.infer<T> | undefined) ?? null),
    ),
  )
