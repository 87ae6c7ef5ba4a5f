const SCROLL_KEY = 'insights-scroll'

/** The scroll position of this list: another filter or order starts at the top. */
export function readScroll(list: string): number {
  try {
    const kept = JSON.parse(sessionStorage.getItem(SCROLL_KEY) ?? 'null') as { list?: unknown; top?: unknown } | null
    return kept?.list === list && typeof kept.top === 'number' ? kept.top : 0
  } catch {
    return 0
  }
}

/** Stores it as long as the browser's tab is open. */
export function keepScroll(list: string, top: number): void {
  sessionStorage.setItem(SCROLL_KEY, JSON.stringify({ list, top }))
}
