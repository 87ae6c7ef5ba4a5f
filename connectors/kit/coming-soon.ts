import * as z from 'zod/mini'
import type { Manifest } from '../connector.ts'

type Tile = Pick<Manifest, 'id' | 'label' | 'side' | 'info'> & {
  /** Fields of the user's data, given the name of the connected account. */
  userData?: (name: string) => Record<string, unknown>
  /** The same fields while nothing is connected. */
  unconnected?: Record<string, unknown>
}

/** The manifest of a connector that is not built yet: a tile that cannot be connected. */
export function comingSoon({ id, label, side, info, userData, unconnected = {} }: Tile): Manifest {
  return {
    id,
    label,
    side,
    info,
    logo: null,
    comingSoon: true,
    tile: true,
    formTitle: `Connect ${label}`,
    fields: [],
    secretFields: [],
    form: z.strictObject({}),
    signs: false,
    describe: (settings) => {
      const name = typeof settings.name === 'string' && settings.name !== '' ? settings.name : label
      return { name, userData: userData ? userData(name) : {} }
    },
    unconnected,
  }
}
