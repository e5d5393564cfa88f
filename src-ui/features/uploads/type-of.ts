/** The server's kind of file for what the browser calls it: `image/png` is an image. */
export function typeOf(mediaType = ''): string {
  const [group = ''] = mediaType.split('/')
  if (mediaType === 'application/pdf') return 'pdf'
  return ['image', 'video', 'audio', 'text'].includes(group) ? group : 'others'
}
