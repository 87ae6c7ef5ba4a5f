import { installedAt } from '../../platform/db/applied-version.ts'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import { diskOf } from '../../platform/files/disk.ts'
import type { Services } from '../../platform/services.ts'
import { within } from '../../platform/within.ts'
import { backupFolder, storedBackups } from '../backup/index.ts'
import { type FigureRow, readFigures } from './store.ts'

/** Values that are measured periodically. Ages are in seconds; null: there is nothing to measure. */
export type Figures = {
  rows: readonly FigureRow[]
  /** The disk of the data folder, in bytes. */
  disk: { free: number; size: number } | null
  /** The age of the newest scheduled backup, or of the installation while there is none. */
  backupAge: number | null
  /** The age of these figures, which grows while the database does not answer. */
  readAt: number
}

/** Each process queries the database at most this often, however often it is scraped. */
const EVERY_MS = 15_000
/** A request waits no longer for the database: it gets the previous figures. */
const WAIT_MS = 3_000

type Needed = Pick<Services, 'config' | 'db' | 'log' | 'now'>

/** The figures of a process, read when they are requested. */
export class CollectedFigures {
  readonly #services: Needed
  readonly #everyMs: number
  #latest: Figures | null = null
  #begunAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  constructor(services: Needed, everyMs: number = EVERY_MS) {
    this.#services = services
    this.#everyMs = everyMs
  }

  /** The figures, at most 15 s old unless they cannot be read; null where they never could. */
  async get(): Promise<Figures | null> {
    if (!this.#reading && performance.now() - this.#begunAt >= this.#everyMs) {
      this.#begunAt = performance.now()
      this.#reading = this.#read().finally(() => {
        this.#reading = undefined
      })
    }
    if (this.#reading) await within(this.#reading, WAIT_MS)
    return this.#latest
  }

  async #read(): Promise<void> {
    const { config, db, log } = this.#services
    try {
      const [rows, disk, backupAge] = await Promise.all([
        withoutWorkspace(db, readFigures),
        diskOf(config.dataDir),
        ageOfBackup(this.#services),
      ])
      this.#latest = { rows, disk, backupAge, readAt: performance.now() }
    } catch (error) {
      log.debug({ err: (error as Error).message }, 'the figures for /metrics could not be read')
    }
  }
}

async function ageOfBackup({ config, db, now }: Needed): Promise<number | null> {
  if (!db.embedded || config.backups.keep === 0) return null
  const [newest] = await storedBackups(backupFolder(config))
  const since = newest?.writtenAt ?? (await withoutWorkspace(db, installedAt))
  return since && (now().getTime() - since.getTime()) / 1000
}
