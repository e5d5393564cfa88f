/** The box of a row or a tile, for the eye and the pointer; `aria-selected` says the same. */
export function Check({ isOn }: { isOn: boolean }) {
  return <span className="check" data-on={isOn || undefined} data-check aria-hidden="true" />
}
