const SCROLL_KEY = 'insights-scroll'

/** Where the list was scrolled to, for this list only: another filter or order begins at its top. */
export function readScroll(list: string): number {
  try {
    const kept = JSON.parse(sessionStorage.getItem(SCROLL_KEY) ?? 'null') as { list?: unknown; top?: unknown } | null
    return kept?.list === list && typeof kept.top === 'number' ? kept.top : 0
  } catch {
    return 0
  }
}

/** Keeps it for as long as the browser's tab is open. */
export function keepScroll(list: string, top: number): void {
  sessionStorage.setItem(SCROLL_KEY, JSON.stringify({ list, top }))
}
