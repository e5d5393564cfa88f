// Imported before everything else: libuv reads the variable once, at the first call in its thread pool.

/** With libuv's default of four threads, four calls to a file system that hangs would block all others. */
const threads = 24

process.env.UV_THREADPOOL_SIZE ??= String(threads)
