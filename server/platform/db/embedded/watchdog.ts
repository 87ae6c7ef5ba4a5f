import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Calls the watchdog off. */
export type CallOff = () => void

/** Told to leave, or finds another server in the pid file: nothing to do. Otherwise: ten seconds to shut down cleanly, then killed. */
const SCRIPT = `
read word && exit
[ "$(head -n 1 "$2" 2>/dev/null)" = "$1" ] || exit
kill -INT "$1"
tries=0
while kill -0 "$1" 2>/dev/null && [ "$tries" -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -KILL "$1" 2>/dev/null
rmdir "$3"
`

/**
 * Stops the server when this process ends without doing so, for example after kill -9. A shell waits on a pipe that
 * only this process holds; the system closes it whichever way the process ends.
 */
export function startWatchdog(pid: number, pgData: string, socketFolder: string): CallOff {
  const values = [String(pid), join(pgData, 'postmaster.pid'), socketFolder]
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'groundswell-watchdog', ...values], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: { PATH: process.env.PATH },
  })
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  return () => shell.stdin.end('off\n')
}
