/** The groups of changes since a visit, in the order in which they are shown. */
export const CHANGE_GROUPS = ['new', 'growing', 'quiet', 'regressed', 'resolved'] as const
/** A group of changes since a visit. */
export type ChangeGroup = (typeof CHANGE_GROUPS)[number]

/** Whether a text from outside names a group of changes. */
export function isChangeGroup(text: string | null): text is ChangeGroup {
  return CHANGE_GROUPS.some((group) => group === text)
}
