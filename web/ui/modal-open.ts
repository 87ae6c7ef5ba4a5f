/** Whether a menu or a modal dialog is open: keys are for it, not for what is below. */
export const isMenuOrModalOpen = (): boolean => document.querySelector('[role=menu], [data-modal]') !== null

/** Whether a modal dialog is open, and not closing. */
export const isModalOpen = (): boolean => document.querySelector('[data-modal][data-state=open]') !== null
