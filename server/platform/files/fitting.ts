import type * as z from 'zod/mini'
import { BrokenFile } from './json-folder.ts'

type Issue = z.core.$ZodIssue

const kinds: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
}

/**
 * A file's content, as parsed by the schema. Throws BrokenFile that names the first place that does not fit. `at`: the place of the value in the file;
 * none for all of it.
 */
export function fitting<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  at: readonly (string | number)[] = [],
): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new BrokenFile(reasonOf(parsed.error.issues[0], at))
}

function reasonOf(issue: Issue | undefined, at: readonly (string | number)[]): string {
  if (!issue) return 'It does not fit'
  const place = [...at, ...issue.path].map(String).join('.').slice(0, 200)
  const subject = place === '' ? 'Its content' : `"${place}"`
  const expected = issue.code === 'invalid_type' ? kinds[issue.expected] : undefined
  return expected ? `${subject} is missing or is not ${expected}` : `${subject} does not fit`
}
