/** Whether Enter and Space act on the element with the focus. */
export const isOnControl = (): boolean => Boolean(document.activeElement?.closest('button, a[href], summary, input'))
