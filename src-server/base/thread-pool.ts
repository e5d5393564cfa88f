// Imported before everything else: libuv reads the variable when the first call is handed to its thread pool, and never again.

/** Threads; four, as libuv has them, are all taken by four calls to a file system that hangs. */
const threads = 24

process.env.UV_THREADPOOL_SIZE ??= String(threads)
