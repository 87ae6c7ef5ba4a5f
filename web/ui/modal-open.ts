/** Whether a menu or a modal dialog is open: keys are for it, not for what is below. */
export const isMenuOrModalOpen = (): boolean => document.querySelector('[role=menu], [data-modal]') !== null
