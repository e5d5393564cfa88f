/** The server's type of a file, for its icon: by its ending, as a receipt knows no more. */
export function typeOfName(name: string): string {
  if (/\.(jpe?g|png|gif|webp|avif|hei[cf]|tiff?|bmp|svg|dng|cr[23]|nef|arw|orf|raf)$/i.test(name)) return 'image'
  if (/\.(mp4|mov|m4v|mkv|webm|avi|mpe?g|3gp|mts)$/i.test(name)) return 'video'
  if (/\.(mp3|m4a|ogg|opus|flac|wav|aac)$/i.test(name)) return 'audio'
  return /\.pdf$/i.test(name) ? 'pdf' : 'others'
}
