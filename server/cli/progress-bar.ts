import type { Output } from './terminal.ts'

/** A progress line: redrawn in place on a terminal, otherwise one line per 10%. */
export function progressBar(label: string, out: Output) {
  let last = -1
  const width = 30
  return {
    /** `share` from 0 to 1; null while it is unknown. */
    show(share: number | null, note: string) {
      const step = share === null ? -1 : Math.floor(share * (out.isTTY ? 100 : 10))
      if (!out.isTTY && step === last) return
      last = step
      if (!out.isTTY) {
        out.write(share === null ? `${label}: ${note}\n` : `${label}: ${Math.floor(share * 100)}% ${note}\n`)
        return
      }
      const filled = share === null ? 0 : Math.round(share * width)
      const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`
      out.write(`\r\u001b[K${label} ${bar} ${share === null ? '' : `${Math.floor(share * 100)}% `}${note}`)
    },
    end() {
      if (out.isTTY) out.write('\n')
    },
  }
}
