/** A plain-text mail. `about` names it in the log; `link` and `code` are the ones it contains, if any. */
export type Message = { about: string; subject: string; text: string; link?: string; code?: string }

const GOOD_FOR = 'Both work once and expire after 10 minutes.'

/**
 * When and with which device a mail was requested, so that its reader can recognize it. `device`: such as "Firefox on Linux".
 */
export function describeRequest(at: Date, device: string): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC, with ${device}`
}

/** Asks to confirm an e-mail address. `requested`: when and with which device the person signed up. */
export function confirmMessage(link: string, code: string, requested?: string): Message {
  return {
    about: 'confirm',
    subject: 'Confirm your e-mail address',
    text: `Please confirm that this is your e-mail address:\n\n${link}\n\nOr type this code: ${code}\n\n${GOOD_FOR}\n${requested === undefined ? '' : `Sign-up: ${requested}.\n`}If that was not you, do not open the link: it would confirm an account that someone else created with your address.\n`,
    link,
    code,
  }
}

/** Lets a person choose a new password. */
export function recoveryMessage(link: string, code: string): Message {
  return {
    about: 'recovery',
    subject: 'Choose a new password',
    text: `Someone, probably you, requested a new password for Groundswell. To choose one:\n\n${link}\n\nOr type this code: ${code}\n\n${GOOD_FOR}\nIf it was not you, ignore this email: your password does not change.\n`,
    link,
    code,
  }
}

/** Asks to confirm the new address of an account. */
export function emailChangeMessage(link: string, code: string): Message {
  return {
    about: 'email change',
    subject: 'Confirm your new e-mail address',
    text: `Please confirm that your account at Groundswell should have this e-mail address:\n\n${link}\n\nOr type this code: ${code}\n\n${GOOD_FOR}\nIf you did not request this, ignore this email.\n`,
    link,
    code,
  }
}

/** Invites a person for whom an account was made. */
export function inviteMessage(link: string, code: string): Message {
  return {
    about: 'invite',
    subject: 'An account at Groundswell for you',
    text: `An account was made for you at Groundswell. To sign in and choose a password:\n\n${link}\n\nOr type this code: ${code}\n\n${GOOD_FOR}\n`,
    link,
    code,
  }
}

/** Invites a person to a workspace. `by` is an e-mail address; `workspace` a name that somebody chose. */
export function teamMessage(
  link: string,
  { by, workspace, days }: { by: string; workspace: string; days: number },
): Message {
  return {
    about: 'team invitation',
    subject: 'An invitation to a workspace at Groundswell',
    text: `${by} invited you to the workspace "${plainName(workspace)}" at Groundswell. To see the invitation:\n\n${link}\n\nThe link works once and expires after ${days} days. If you do not expect it, ignore this email.\n`,
    link,
  }
}

/** Tells a person that a workspace they were in is deleted. `by` is an e-mail address; `workspace` a name that somebody chose. */
export function workspaceDeletedMessage({ by, workspace }: { by: string; workspace: string }): Message {
  return {
    about: 'deleted workspace',
    subject: 'A workspace at Groundswell was deleted',
    text: `${by} deleted the workspace "${plainName(workspace)}" at Groundswell, with everything in it. You can no longer open it. Your account stays.\n\nIf you did not expect this, ask ${by}.\n`,
  }
}

/** A name that mail programs make no link of, since everyone chooses their own. */
function plainName(name: string): string {
  return name
    .replaceAll(/[\s./:@\\<>"]+/g, ' ')
    .trim()
    .slice(0, 60)
}

/** Contains the code for reauthentication. */
export function reauthenticationMessage(code: string): Message {
  return {
    about: 'reauthentication',
    subject: 'Your code',
    text: `Your code is ${code}. It works once and expires after 10 minutes.\nIf you did not ask for it, someone else is signed in as you: sign out everywhere in Settings and change your password.\n`,
    code,
  }
}

/** Notifies the owner of a change, in case someone else made it. */
export function noticeMessage(what: string): Message {
  return {
    about: 'notice',
    subject: what,
    text: `${what}.\n\nIf that was you, no action is needed. If not, choose a new password at once ("Forgot your password?") and ask the operator of your Groundswell for help.\n`,
  }
}

/** Notifies the owner that a session was used from a new device or address. */
export function newPlaceMessage({ at, device, address }: { at: Date; device: string; address: string }): Message {
  return {
    about: 'new place',
    subject: 'Your sign-in was used from a new place',
    text: `A browser that is signed in to your account at Groundswell was used from a new address or device.\n\n${describeRequest(at, device)}, from ${address}\n\nIf that was you, no action is needed. If not, open Settings, choose "Sign out everywhere", and change your password.\n`,
  }
}
