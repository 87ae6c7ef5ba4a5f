import type * as z from 'zod/mini'

/** What a source reads: from which time on, in epoch seconds, and with which choices. */
type Selection = { start: number; key: string }

/**
 * A copy of a stored cursor's state to work on. A cursor that cannot be parsed, and one of other choices or an earlier start date, begins again: an item that
 * is read twice is stored once. `begin`: the state that begins at a time, after `former`, or null.
 */
export function openState<S extends Selection>(
  schema: z.ZodMiniType<S>,
  value: unknown,
  { start, key }: Selection,
  begin: (start: number, former: S | null) => S,
): S {
  const stored = schema.safeParse(value).data
  if (!stored) return begin(start, null)
  if (start < stored.start - 60 || key !== stored.key) return begin(Math.min(start, stored.start), stored)
  return structuredClone(stored)
}
