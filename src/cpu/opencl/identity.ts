/** The platform's name. */
export const PLATFORM_NAME = 'rawkernel CPU';
export const VENDOR = 'rawkernel';
/** Of platform and device. */
export const VERSION = 'OpenCL 3.0 rawkernel';
