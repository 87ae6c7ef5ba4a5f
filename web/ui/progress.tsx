type ProgressProps = { label: string; value: number; total: number | null }

/** A progress bar. Without a total it is indeterminate. */
export function Progress({ label, value, total }: ProgressProps) {
  const share = total === null || total <= 0 ? null : Math.min(1, value / total)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === null ? undefined : Math.round(share * 100)}
      className="h-1.5 w-full overflow-hidden rounded-full bg-line"
    >
      <div
        style={{ width: share === null ? '40%' : `${share * 100}%` }}
        className={share === null ? 'skeleton h-full !bg-accent' : 'h-full rounded-full bg-accent transition-[width]'}
      />
    </div>
  )
}
