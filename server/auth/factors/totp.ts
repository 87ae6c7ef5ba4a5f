import { generateSecret, generateURI, verify } from 'otplib'
import { renderSVG } from 'uqr'

/** A new secret (base32, 160 bits) with the address that authenticator apps read, as text and as the SVG of a QR code. */
export type NewTotp = { secret: string; uri: string; qrCode: string }

const STEP_SECONDS = 30
const QR_PIXELS = 6

/** Makes the secret of a factor. `issuer` and `email` are what the app shows beside the code. */
export function makeTotp(issuer: string, email: string): NewTotp {
  const secret = generateSecret()
  const uri = generateURI({ issuer, label: email, secret })
  return { secret, uri, qrCode: renderSVG(uri, { pixelSize: QR_PIXELS, border: 4 }) }
}

/**
 * The time step of a code that is right now, or one step before or after: null for any other, and for one whose step is not
 * later than `lastStep`, so that no code counts twice. SHA-1, 6 digits, 30 seconds, as every authenticator app has it.
 */
export async function acceptedStep(secret: string, code: string, lastStep: number, at: Date): Promise<number | null> {
  const epoch = Math.floor(at.getTime() / 1000)
  const newest = Math.floor(epoch / STEP_SECONDS) + 1
  if (!/^\d{6}$/.test(code) || lastStep >= newest) return null
  const result = await verify({ secret, token: code, epoch, epochTolerance: STEP_SECONDS, afterTimeStep: lastStep })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}
