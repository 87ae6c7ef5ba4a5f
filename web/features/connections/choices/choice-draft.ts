import type { ChoiceView } from '@groundswell/contract/sources.ts'

/** Field → values that were changed and not saved yet. */
export type ChoiceDraft = Readonly<Record<string, readonly string[]>>

/** The values of a choice: those of the draft, else the stored ones. Of a list, the ones that are still offered. */
export function valuesOf(choice: ChoiceView, draft: ChoiceDraft): readonly string[] {
  const values = draft[choice.field]
  if (!values || !isList(choice)) return values ?? choice.chosen
  const offered = [...choice.options, ...(choice.chosen_options ?? [])]
  return values.filter((value) => offered.some((option) => option.value === value))
}

/** Several values of a complete list: when a field that it depends on changes, only values that are no longer offered are removed. */
const isList = ({ kind = 'select', single, searchable }: ChoiceView) => kind === 'select' && !single && !searchable

/** The draft with new values of a field; what depends on it is cleared, except lists. */
export function withValues(
  choices: readonly ChoiceView[],
  draft: ChoiceDraft,
  field: string,
  values: readonly string[],
): ChoiceDraft {
  const next: Record<string, readonly string[]> = { ...draft, [field]: values }
  const changed = [field]
  for (let at = changed.shift(); at !== undefined; at = changed.shift()) {
    for (const choice of choices) {
      if (!choice.depends_on?.includes(at) || choice.field === field || isList(choice)) continue
      if (next[choice.field]?.length === 0) continue
      next[choice.field] = []
      changed.push(choice.field)
    }
  }
  return next
}

/** Whether other choices may follow from this one, so that a change of it requests them again. */
function leadsOthers(choices: readonly ChoiceView[], { field, kind = 'select', single }: ChoiceView): boolean {
  return (kind === 'select' && single === true) || choices.some(({ depends_on }) => depends_on?.includes(field))
}

/** The part of the draft on which other choices depend, for the server. */
export function leadingDraft(choices: readonly ChoiceView[], draft: ChoiceDraft): ChoiceDraft {
  return Object.fromEntries(
    choices.flatMap((choice) => {
      const values = draft[choice.field]
      return values && leadsOthers(choices, choice) ? [[choice.field, values]] : []
    }),
  )
}

/** What is to be saved: a value for each choice that is offered. */
export function bodyOf(choices: readonly ChoiceView[], draft: ChoiceDraft): Record<string, string[]> {
  return Object.fromEntries(choices.map((choice) => [choice.field, [...valuesOf(choice, draft)]]))
}

/** Why the choices cannot be saved yet, as text; null when they can. */
export function lackOf(choices: readonly ChoiceView[], draft: ChoiceDraft): string | null {
  const missing = choices.filter(
    (choice) => choice.required && valuesOf(choice, draft).every((value) => value.trim() === ''),
  )
  if (missing.length === 0) return null
  return `Still required: ${missing.map(({ label }) => label).join(', ')}`
}
