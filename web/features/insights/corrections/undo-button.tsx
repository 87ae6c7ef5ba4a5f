type UndoButtonProps = { words: string; busy: boolean; onUndo: () => Promise<void> }

/** Undoes the correction beside it. */
export function UndoButton({ words, busy, onUndo }: UndoButtonProps) {
  return (
    <button
      type="button"
      disabled={busy}
      onClick={() => void onUndo()}
      className="rounded-small text-small text-accent hover:underline"
    >
      Undo<span className="sr-only"> “{words}”</span>
    </button>
  )
}
