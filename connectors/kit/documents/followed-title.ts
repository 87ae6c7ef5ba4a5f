import type { TrackerRequest } from '../../tracker.ts'
import { documentTitle } from './insight-document.ts'

/**
 * The title that an update gives an item; undefined: it stays as it is. An item that shows what we gave it, or may have given it where a reply was lost,
 * follows the name of the insight; a title that somebody wrote there stays. `current`: what the item shows; `maxLength` as for `documentTitle`.
 */
export function followedTitle(
  current: string,
  { document, titles = [] }: Pick<TrackerRequest, 'document' | 'titles'>,
  maxLength?: number,
): string | undefined {
  const wanted = documentTitle(document, maxLength)
  const isShown = (title: string) => comparable(title) === comparable(current)
  if (isShown(wanted)) return undefined
  return titles.some((title) => isShown(documentTitle({ title }, maxLength))) ? wanted : undefined
}

/** Providers may normalize a text, and its spaces. */
const comparable = (title: string) => title.normalize('NFC').replace(/\s+/g, ' ').trim()
