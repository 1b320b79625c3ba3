/**
 * The first statement of a program, before anything uses the threads of libuv, which are started together at their first use. A
 * value of the operator's counts. Look-ups by the system take half of the threads at most, and the operator's hosts are about
 * eight: database, Redis, Chroma, code host, models, sign-in, mail, traces. With libuv's own four threads, two names that do not
 * answer would hold up all others.
 */
export const enlargeThreadPool = "process.env.UV_THREADPOOL_SIZE ||= '16';";
