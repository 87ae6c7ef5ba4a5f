import { generateSecret, generateURI, verify } from 'otplib'
import { renderSVG } from 'uqr'

/** A new secret (base32, 160 bits) with its `otpauth:` URI, as text and as the SVG of a QR code. */
export type NewTotp = { secret: string; uri: string; qrCode: string }

const STEP_SECONDS = 30
const QR_PIXELS = 6

/** Creates the secret of a factor. Authenticator apps show `issuer` and `email` beside the code. */
export function makeTotp(issuer: string, email: string): NewTotp {
  const secret = generateSecret()
  const uri = generateURI({ issuer, label: email, secret })
  return { secret, uri, qrCode: renderSVG(uri, { pixelSize: QR_PIXELS, border: 4 }) }
}

/**
 * The time step of a code that is valid now, or one step earlier or later. Null for a wrong code, and for a step that is not
 * later than `lastStep`, so that no code is accepted twice. SHA-1, 6 digits, 30 seconds, as in every authenticator app.
 */
export async function acceptedStep(secret: string, code: string, lastStep: number, at: Date): Promise<number | null> {
  const epoch = Math.floor(at.getTime() / 1000)
  const newest = Math.floor(epoch / STEP_SECONDS) + 1
  if (!/^\d{6}$/.test(code) || lastStep >= newest) return null
  const result = await verify({ secret, token: code, epoch, epochTolerance: STEP_SECONDS, afterTimeStep: lastStep })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}
