import type * as z from 'zod/mini'

/**
 * Reads one field of stored JSON. Each field is read on its own: one that no longer fits (an older or newer
 * version wrote it) gets its fallback and does not affect other fields.
 */
export function storedField<S extends z.ZodMiniType, F>(schema: S, value: unknown, fallback: F): z.output<S> | F {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : fallback
}

/** A stored JSON object by its fields; empty when something else is stored. */
export function storedObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
