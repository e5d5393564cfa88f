/** A chord, drawn as one key cap for each key. @param shown the result of showChord(): `Ctrl S` */
export function Keys({ shown }: { shown: string }) {
  return shown.split(' ').map((cap) => (
    <kbd key={cap} className="key">
      {cap}
    </kbd>
  ))
}
