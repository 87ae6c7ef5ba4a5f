/** Two swells: the product's mark. */
function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden className="shrink-0 text-accent">
      <rect width="24" height="24" rx="6" fill="currentColor" />
      <path
        d="M4 15.5c2.7 0 2.7-3 5.3-3s2.7 3 5.4 3 2.6-3 5.3-3M4 10.5c2.7 0 2.7-3 5.3-3s2.7 3 5.4 3 2.6-3 5.3-3"
        fill="none"
        className="stroke-on-accent"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}

/** The mark and the name. */
export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2 text-lead font-semibold tracking-tight">
      <Mark />
      Groundswell
    </span>
  )
}
