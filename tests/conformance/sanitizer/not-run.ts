/** The exit code of a kernel that was not run: it did not compile, or there is no GPU. */
export const NOT_RUN = 3;

/** The exit code of a tool that has reported something. */
export const REPORTED = 9;
