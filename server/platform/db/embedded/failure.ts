/** The private PostgreSQL cannot be used; the message gives the reason and the remedy. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'

  constructor(reason: string, options?: { cause?: unknown }) {
    super(
      `The private PostgreSQL cannot start: ${reason}\n` +
        'Or use a PostgreSQL server of your own (15 or later): set DATABASE_URL to its address.',
      options,
    )
  }
}

/** Error messages of PostgreSQL or the system, and what they mean to the operator. */
const KNOWN: [pattern: RegExp, meaning: string][] = [
  [/No space left on device|ENOSPC/, 'the disk is full. Free some space and start again.'],
  [/Disk quota exceeded|EDQUOT/, 'the disk quota is used up. Free some space and start again.'],
  [/Read-only file system|EROFS/, 'the data folder is on a read-only file system. Set GROUNDSWELL_DATA to another.'],
  [
    /could not look up effective user ID|user does not exist/,
    'the user id that this process runs under has no name on this system, and PostgreSQL needs one. ' +
      'Add it to /etc/passwd, or run under a user that has one.',
  ],
  [
    /cannot be run as root/,
    'PostgreSQL refuses to run as root, and no unprivileged user could be taken. Run as an ordinary user.',
  ],
  [
    /could not create shared memory segment|could not resize shared memory|Cannot allocate memory|ENOMEM/,
    'the system gave it no memory. Close something, or raise the limit of this container (256 MB are enough).',
  ],
  [
    /database files are incompatible with server/,
    'the data folder was written by another major version of PostgreSQL. Restore a backup into a new folder.',
  ],
  [
    /invalid checkpoint record|could not locate a valid checkpoint|invalid primary checkpoint/,
    'the data folder is damaged. Restore a backup into a new folder; keep the old one.',
  ],
  [/has wrong ownership|EACCES|Permission denied/, 'its files may not be read or written by the user it runs as.'],
  [/could not bind|could not create any Unix-domain sockets/, 'its socket could not be made.'],
  [/cannot execute binary file|Exec format error|ENOEXEC/, 'its program is made for another kind of processor.'],
  [
    /error while loading shared libraries: (\S+)/,
    'a system library that it needs is missing. On Debian and Ubuntu: apt-get install libc6 libstdc++6.',
  ],
]

/** Explains a failure's output; the last lines of the output follow, for unknown errors. */
export function explain(output: string): string {
  const tail = output.trim().split('\n').slice(-4).join('\n')
  const known = KNOWN.find(([pattern]) => pattern.test(output))
  if (!known) return tail === '' ? 'it ended without a message.' : `it said:\n${tail}`
  return tail === '' ? known[1] : `${known[1]}\nIt said:\n${tail}`
}

/** The reason why a program could not be started, from the error of spawn. */
export function explainSpawn(error: NodeJS.ErrnoException, user: { name: string; dropped: boolean }): string {
  if (user.dropped && (error.code === 'EPERM' || error.code === 'EINVAL')) {
    return (
      `this process is root but may not become the user ${user.name} (no CAP_SETUID or CAP_SETGID, or an id that this ` +
      'container does not map), and PostgreSQL refuses to run as root. Run as an ordinary user.'
    )
  }
  if (error.code === 'ENOENT') return 'its program, or the loader it needs (glibc), is missing on this system.'
  return explain(`${error.code ?? ''} ${error.message}`)
}
