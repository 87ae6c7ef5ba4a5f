import { tiles } from '@groundswell/contract/tiles.ts'

/** A source as people call it; an unknown one by its id. */
export function sourceName(source: string): string {
  if (source === 'file') return 'File'
  return tiles.find((one) => one.tile === source)?.name ?? source
}
